package mend_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/command"
	"github.com/mendkit/mend/mendtest"
)

// TestScenarios plays each file of testdata/scenario; testdata/README.md tells
// their format. With -update it rewrites what they expect, and nothing else.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/scenario/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			archive := readArchive(string(data))
			s, err := readScenario(archive)
			require.NoError(t, err)
			got := s.play(t)
			if *update && !t.Failed() {
				archive.set("expect", got.expect)
				if s.mended != nil {
					archive.set("mended.toml", got.mended)
				}
				require.NoError(t, os.WriteFile(file, []byte(archive.String()), 0o644))
				return
			}
			assert.Equal(t, s.expect, got.expect)
			if s.mended != nil {
				assert.Equal(t, *s.mended, got.mended)
			}
		})
	}
}

// archive is a txtar file: a comment, then sections that begin with a line
// "-- name --".
type archive struct {
	comment  string
	sections []section
}

type section struct{ name, body string }

func readArchive(text string) *archive {
	a := &archive{}
	into := &a.comment
	for line := range strings.Lines(text) {
		name, isMarker := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "-- ")
		if name, ok := strings.CutSuffix(name, " --"); ok && isMarker {
			a.sections = append(a.sections, section{name: name})
			into = &a.sections[len(a.sections)-1].body
			continue
		}
		*into += line
	}
	return a
}

func (a *archive) String() string {
	text := a.comment
	for _, s := range a.sections {
		text += "-- " + s.name + " --\n" + s.body
	}
	return text
}

func (a *archive) set(name, body string) {
	i := slices.IndexFunc(a.sections, func(s section) bool { return s.name == name })
	a.sections[i].body = body
}

// scenario is one file, read.
type scenario struct {
	stages []*stage
	opts   mend.Options
	crlf   bool    // recipes have lines that end in CR LF
	expect string  // as the file has it
	mended *string // nil if the file does not show the recipe that comes out
	inst   int     // installs so far
}

// stage is a recipe of the session, and what the sandbox shows of it.
type stage struct {
	name      string
	recipe    *mend.Recipe
	installed mend.Installed
	install   error
	runs      []*scenarioRun
}

type scenarioRun struct {
	line  string
	obs   mend.Observation
	asked bool
}

// readScenario reads an archive. Whatever is not as the format has it is an error.
func readScenario(a *archive) (*scenario, error) {
	s := &scenario{}
	if lines := strings.Count(a.comment, "\n"); lines < 1 || lines > 2 {
		return nil, fmt.Errorf("the comment has %d lines, not one or two", lines)
	}
	for _, sec := range a.sections {
		if err := s.read(sec); err != nil {
			return nil, fmt.Errorf("section %s: %w", sec.name, err)
		}
	}
	if len(s.stages) == 0 || !slices.ContainsFunc(a.sections, func(s section) bool { return s.name == "expect" }) {
		return nil, errors.New("section recipe.toml or expect is missing")
	}
	return s, nil
}

func (s *scenario) read(sec section) error {
	kind, rest, _ := strings.Cut(sec.name, " ")
	if len(s.stages) == 0 && sec.name != "recipe.toml" && sec.name != "options" {
		return errors.New("no recipe stands before it")
	}
	want := "recipe.toml"
	if n := len(s.stages); n > 0 {
		want = fmt.Sprintf("repair%d.toml", n)
	}
	switch {
	case sec.name == want:
		return s.readRecipe(sec)
	case sec.name == "options":
		return s.readOptions(sec.body)
	case sec.name == "installed":
		return s.stages[len(s.stages)-1].readInstalled(sec.body)
	case sec.name == "install":
		return s.stages[len(s.stages)-1].readInstall(sec.body)
	case kind == "run":
		return s.stages[len(s.stages)-1].readRun(rest, sec.body)
	case sec.name == "expect" && s.expect == "":
		s.expect = sec.body
		return nil
	case sec.name == "mended.toml" && s.mended == nil:
		s.mended = &sec.body
		return nil
	}
	return errors.New("there is no such section, or not here")
}

func (s *scenario) readRecipe(sec section) error {
	text := sec.body
	if s.crlf {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	r, err := mend.ParseRecipe([]byte(text))
	st := &stage{name: sec.name, recipe: r}
	if n := len(s.stages); n > 0 {
		st.installed = s.stages[n-1].installed
	}
	s.stages = append(s.stages, st)
	return err
}

// keys calls set for each line "key value" or "key: value" of a section.
func keys(body, sep string, set func(key, value string) error) error {
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		key, value, ok := strings.Cut(line, sep)
		if !ok {
			return fmt.Errorf("%q is no line of it", line)
		}
		if err := set(key, value); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

var errUnknownKey = errors.New("there is no such key")

func (s *scenario) readOptions(body string) error {
	return keys(body, ": ", func(key, value string) (err error) {
		switch key {
		case "floor":
			return s.opts.Floor.UnmarshalText([]byte(value))
		case "max_repairs":
			s.opts.MaxRepairs, err = strconv.Atoi(value)
		case "crlf":
			s.crlf, err = strconv.ParseBool(value)
		default:
			err = errUnknownKey
		}
		return err
	})
}

func (st *stage) readInstalled(body string) error {
	return keys(body, " ", func(key, value string) error {
		switch key {
		case "version":
			st.installed.Version = value
		case "dir":
			st.installed.Dir = value
		default:
			return errUnknownKey
		}
		return nil
	})
}

func (st *stage) readInstall(body string) error {
	return keys(body, ": ", func(key, value string) error {
		switch key {
		case "fails":
			st.install = &mend.InstallError{Step: 0, Action: st.recipe.Steps[0].Action, Err: errors.New(value)}
		case "unavailable":
			st.install = fmt.Errorf("%s: %w", value, mend.ErrSandboxUnavailable)
		case "error":
			st.install = errors.New(value)
		default:
			return errUnknownKey
		}
		return nil
	})
}

// readRun reads how a run ended, and then what it printed line by line.
func (st *stage) readRun(line, body string) error {
	argv, err := command.Split(line)
	if err != nil {
		return err
	}
	run := &scenarioRun{line: line, obs: mend.Observation{Argv: argv}}
	st.runs = append(st.runs, run)
	ending, output, _ := strings.Cut(body, "\n")
	switch how, what, _ := strings.Cut(ending, " "); {
	case how == "exit":
		run.obs.ExitCode, err = strconv.Atoi(what)
	case how == "signal" && strings.HasPrefix(what, "SIG"):
		run.obs.ExitCode, run.obs.Signal = -1, what
	case ending == "timeout":
		run.obs.ExitCode, run.obs.TimedOut = -1, true
	default:
		err = fmt.Errorf("%q is no way to end", ending)
	}
	for line := range strings.Lines(output) {
		if err == nil {
			err = run.print(line)
		}
	}
	return err
}

func (r *scenarioRun) print(line string) error {
	stream := &r.obs.Stdout
	if line[0] == '!' {
		stream = &r.obs.Stderr
	}
	mark, text := line[1:], ""
	switch {
	case line[0] != '>' && line[0] != '!':
		return fmt.Errorf("%q is of no stream", line)
	case mark == "\n":
		*stream += "\n"
	case strings.HasPrefix(mark, " "):
		*stream += mark[1:]
	case strings.HasPrefix(mark, "q "):
		quoted, err := strconv.Unquote(strings.TrimSpace(mark[2:]))
		if err != nil {
			return fmt.Errorf("%q is no string", mark)
		}
		text = quoted
	default:
		return fmt.Errorf("%q is of no stream", line)
	}
	*stream += text
	return nil
}

// play takes the scenario through the loop, and returns what came out. Whatever
// the file has and nobody asked for is an error, and so is the reverse.
func (s *scenario) play(t *testing.T) outcome {
	var recipes []*mend.Recipe
	for _, st := range s.stages {
		recipes = append(recipes, st.recipe)
	}
	b := mendtest.NewScriptedBuilder(recipes...)
	sb := &stagedSandbox{t: t, s: s, b: b}
	var out outcome
	s.opts.Observer = func(_ context.Context, e mend.Event) {
		if e.Kind == mend.EventVerifySelfRepair {
			out.probes += e.Probes
		}
	}
	out.result, out.err = mend.New(sb, &s.opts).Create(t.Context(), b, mend.BuildRequest{})
	assert.Equal(t, 1, b.Closed(), "the session is closed")
	for i, st := range s.stages {
		assert.LessOrEqual(t, i, len(b.Failures()), "%s was never asked for", st.name)
		for _, run := range st.runs {
			assert.True(t, run.asked, "%s: %s was never run", st.name, run.line)
		}
	}
	out.installs = s.inst
	out.render(s.crlf)
	return out
}

// stagedSandbox shows what the stage has whose recipe the session gave last.
type stagedSandbox struct {
	t *testing.T
	s *scenario
	b *mendtest.ScriptedBuilder
}

func (sb *stagedSandbox) Install(context.Context, *mend.Recipe) (mend.Environment, error) {
	st := sb.s.stages[len(sb.b.Failures())]
	sb.s.inst++
	if st.install != nil {
		return nil, st.install
	}
	return &stagedEnvironment{sb.t, st}, nil
}

type stagedEnvironment struct {
	t *testing.T
	*stage
}

func (e *stagedEnvironment) Installed() mend.Installed { return e.installed }
func (e *stagedEnvironment) Close() error              { return nil }

func (e *stagedEnvironment) Run(_ context.Context, cmd mend.Command) (mend.Observation, error) {
	i := slices.IndexFunc(e.runs, func(r *scenarioRun) bool { return !r.asked && slices.Equal(r.obs.Argv, cmd.Argv) })
	if i < 0 {
		err := fmt.Errorf("%s: there is no run of %s, or no further one", e.name, command.Join(cmd.Argv))
		e.t.Error(err)
		return mend.Observation{}, err
	}
	e.runs[i].asked = true
	return e.runs[i].obs, nil
}
