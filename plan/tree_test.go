package plan_test

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/plan"
)

func fields(s string) []string { return strings.Fields(s) }

// script says what commands show, by line: the first run shows the first of its
// observations, the last one is shown from then on. A line that it does not know
// exits with 0.
type script map[string][]mend.Observation

func exit(code int, text string) mend.Observation {
	return mend.Observation{ExitCode: code, Stderr: text}
}

func printed(text string) mend.Observation { return mend.Observation{Stdout: text} }

var timedOut = mend.Observation{ExitCode: -1, TimedOut: true}

// fakeEnv is an environment that follows a script. It has no tree.
type fakeEnv struct {
	script script
	ran    []string // lines
	envs   []mend.Command
	err    error             // returned by the run of failAt
	failAt string            // a line
	during func(line string) // called in each run
}

func (e *fakeEnv) Installed() mend.Installed { return mend.Installed{} }
func (e *fakeEnv) Close() error              { return nil }
func (e *fakeEnv) Run(ctx context.Context, cmd mend.Command) (mend.Observation, error) {
	return e.run(ctx, "", cmd)
}

func (e *fakeEnv) run(_ context.Context, dir string, cmd mend.Command) (mend.Observation, error) {
	line := plan.Part{Dir: dir, Env: cmd.Env, Argv: cmd.Argv}.String()
	e.ran = append(e.ran, line)
	e.envs = append(e.envs, cmd)
	if e.during != nil {
		e.during(line)
	}
	if e.err != nil && (e.failAt == "" || e.failAt == line) {
		return mend.Observation{}, e.err
	}
	var obs mend.Observation
	if all := e.script[line]; len(all) > 0 {
		obs = all[0]
		if len(all) > 1 {
			e.script[line] = all[1:]
		}
	}
	obs.Argv = cmd.Argv
	return obs, nil
}

// fakeTree is a workspace that follows a script.
type fakeTree struct {
	fakeEnv
	files     fstest.MapFS
	changes   []plan.Change
	read      int // how often the changes were
	discarded []string
	keeps     bool // discarding does nothing
	fail      error
}

func newTree(s script, changed ...string) *fakeTree {
	w := &fakeTree{fakeEnv: fakeEnv{script: s}, files: fstest.MapFS{}}
	if s == nil {
		w.script = script{}
	}
	for _, name := range changed {
		w.changes = append(w.changes, plan.Change{Path: name})
	}
	return w
}

// with adds files, of names and contents in turns.
func (w *fakeTree) with(files ...string) *fakeTree {
	for name, f := range tree(files...) {
		w.files[name] = f
	}
	return w
}

func (w *fakeTree) In(dir string) mend.Environment { return &fakeDir{w, dir} }
func (w *fakeTree) FS() fs.FS                      { return w.files }
func (w *fakeTree) Changes(context.Context) ([]plan.Change, error) {
	w.read++
	return slices.Clone(w.changes), w.fail
}

func (w *fakeTree) Discard(_ context.Context, paths []string) error {
	w.discarded = append(w.discarded, paths...)
	if !w.keeps {
		w.changes = slices.DeleteFunc(w.changes, func(c plan.Change) bool { return slices.Contains(paths, c.Path) })
	}
	return nil
}

type fakeDir struct {
	tree *fakeTree
	dir  string
}

func (d *fakeDir) Installed() mend.Installed { return mend.Installed{} }
func (d *fakeDir) Close() error              { return errors.New("the view of a directory is not closed") }
func (d *fakeDir) Run(ctx context.Context, cmd mend.Command) (mend.Observation, error) {
	return d.tree.run(ctx, d.dir, cmd)
}

// planOf makes a plan of lines: auto those that begin with a plus, explicit the
// others.
func planOf(lines ...string) *plan.Plan {
	p := &plan.Plan{Version: 1}
	for _, line := range lines {
		c := plan.Command{Line: line, Source: plan.SourceExplicit, Origin: "author"}
		if rest, ok := strings.CutPrefix(line, "+"); ok {
			c = plan.Command{Line: rest, Source: plan.SourceAuto, Origin: "contract"}
		}
		c.ID = plan.CommandID(c.Source, c.Line)
		p.Commands = append(p.Commands, c)
	}
	return p
}

// changed returns the plan with what changed.
func changed(p *plan.Plan, names ...string) *plan.Plan {
	p.Changed = append([]string{}, names...)
	return p
}

func mustRun(t *testing.T, env mend.Environment, p *plan.Plan, opts *plan.Options) *plan.Result {
	t.Helper()
	r, err := plan.Run(t.Context(), env, p, opts)
	require.NoError(t, err)
	return r
}

// states returns the states of a result's outcomes.
func states(r *plan.Result) []plan.State {
	all := []plan.State{}
	for _, o := range r.Outcomes {
		all = append(all, o.State)
	}
	return all
}

// fixing returns a hook that keeps what it was asked and does what it is given, by
// turns; the last one stays.
func fixing(asked *[]plan.FixRequest, does ...func() error) func(context.Context, plan.FixRequest) error {
	return func(_ context.Context, req plan.FixRequest) error {
		*asked = append(*asked, req)
		if len(does) == 0 {
			return nil
		}
		return does[min(len(*asked), len(does))-1]()
	}
}
