package mendtest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
)

// recipe is the recipe of a tool, with a check.
func recipe(name, line string) *mend.Recipe {
	return &mend.Recipe{Metadata: mend.Metadata{Name: name}, Verify: &mend.VerifySection{Command: line}}
}

// frob is a tool of which two runs were recorded.
func frob() *mendtest.Capture {
	return &mendtest.Capture{Tool: "frob", Version: "1.2.3", Dir: "/opt/frob-1.2.3", Runs: []mendtest.Run{
		{Argv: []string{"frob", "--version"}, Stdout: "frob 1.2.3\n"},
		{Argv: []string{"frob", "--help"}, ExitCode: 2, Stderr: "usage: frob FILE\n"},
	}}
}

// installed is the environment that a sandbox makes of a recipe.
func installed(t *testing.T, sb mend.Sandbox, r *mend.Recipe) mend.Environment {
	t.Helper()
	env, err := sb.Install(t.Context(), r)
	require.NoError(t, err)
	return env
}

func TestReplayPlaysWhatWasRecorded(t *testing.T) {
	sb := mendtest.NewReplay(frob())
	env := installed(t, sb, recipe("frob", "frob --version"))
	assert.Equal(t, mend.Installed{Version: "1.2.3", Dir: "/opt/frob-1.2.3"}, env.Installed())

	for range 2 {
		o, err := env.Run(t.Context(), mend.Command{Argv: []string{"frob", "--help"}})
		require.NoError(t, err)
		assert.Equal(t, mend.Observation{Argv: []string{"frob", "--help"}, ExitCode: 2, Stderr: "usage: frob FILE\n"}, o)
	}
	assert.Equal(t, 1, sb.Installs())
	assert.Equal(t, 2, sb.Runs())
	assert.NoError(t, env.Close())
	assert.NoError(t, env.Close(), "closing twice is no error")
}

func TestReplayRefusesToGuess(t *testing.T) {
	sb := mendtest.NewReplay(frob())
	env := installed(t, sb, recipe("frob", "frob --version"))
	for _, argv := range [][]string{{"frob"}, {"frob", "-V"}, {"frob", "--version", "--help"}, {"/usr/bin/frob", "--version"}} {
		_, err := env.Run(t.Context(), mend.Command{Argv: argv})
		var missing *mendtest.NotRecordedError
		require.ErrorAs(t, err, &missing)
		assert.Equal(t, argv, missing.Argv)
		assert.EqualError(t, err, fmt.Sprintf("no recording of %q", strings.Join(argv, " ")))
	}
	assert.Equal(t, 4, sb.Runs(), "what was asked in vain counts too")

	_, err := sb.Install(t.Context(), recipe("other", "other --version"))
	assert.EqualError(t, err, `no recording of "other"`)
	assert.Equal(t, 2, sb.Installs())
}

func TestReplayMissingAnswersForTheRest(t *testing.T) {
	sb := mendtest.NewReplay(frob())
	sb.Missing = func(argv []string) (mend.Observation, error) {
		return mend.Observation{Argv: argv, ExitCode: 127}, nil
	}
	env := installed(t, sb, recipe("frob", "frob --version"))
	o, err := env.Run(t.Context(), mend.Command{Argv: []string{"frob", "-V"}})
	require.NoError(t, err)
	assert.Equal(t, mend.Observation{Argv: []string{"frob", "-V"}, ExitCode: 127}, o)

	o, err = env.Run(t.Context(), mend.Command{Argv: []string{"frob", "--version"}})
	require.NoError(t, err)
	assert.Equal(t, "frob 1.2.3\n", o.Stdout, "what was recorded comes first")
}

func TestReplayFindsTheToolOfARecipe(t *testing.T) {
	other := &mendtest.Capture{Tool: "other", Version: "9"}
	tests := []struct {
		name    string
		recipe  *mend.Recipe
		version string
	}{
		{"by its command", recipe("other", "frob --version"), "1.2.3"},
		{"by its name where the command is a path", recipe("frob", "{install_dir}/bin/frob --version"), "1.2.3"},
		{"by its name where the command is of nobody", recipe("other", "cargo frob"), "9"},
		{"by its name where the command cannot be split", recipe("other", "frob | cat"), "9"},
		{"by its name where there is no check", &mend.Recipe{Metadata: mend.Metadata{Name: "other"}}, "9"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := installed(t, mendtest.NewReplay(frob(), other), tt.recipe)
			assert.Equal(t, tt.version, env.Installed().Version)
		})
	}
}

func TestReplayInstallThatFailsIsEvidence(t *testing.T) {
	sb := mendtest.NewReplay(&mendtest.Capture{Tool: "frob", Install: "checksum mismatch"})
	_, err := sb.Install(t.Context(), recipe("frob", "frob --version"))
	var failed *mend.InstallError
	require.ErrorAs(t, err, &failed)
	assert.EqualError(t, err, "install failed: checksum mismatch")
}

func TestReplayEndsWithItsContext(t *testing.T) {
	sb := mendtest.NewReplay(frob())
	env := installed(t, sb, recipe("frob", "frob --version"))
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)

	_, err := sb.Install(ctx, recipe("frob", "frob --version"))
	assert.Equal(t, enough, err)
	_, err = env.Run(ctx, mend.Command{Argv: []string{"frob", "--version"}})
	assert.Equal(t, enough, err)
}

func TestRecorderKeepsWhatReplayPlays(t *testing.T) {
	slow := frob()
	slow.Runs[0].Duration = 3 * time.Millisecond
	rec := mendtest.NewRecorder(mendtest.NewReplay(slow))
	env := installed(t, rec, recipe("frob", "frob --version"))
	for _, argv := range [][]string{{"frob", "--version"}, {"frob", "--help"}, {"frob", "--version"}} {
		_, err := env.Run(t.Context(), mend.Command{Argv: argv})
		require.NoError(t, err)
	}
	assert.Equal(t, []*mendtest.Capture{slow}, rec.Captures(), "equal command lines are kept once")

	again := installed(t, mendtest.NewReplay(rec.Captures()...), recipe("frob", "frob --version"))
	assert.Equal(t, env.Installed(), again.Installed())
	for _, argv := range [][]string{{"frob", "--version"}, {"frob", "--help"}} {
		want, err := env.Run(t.Context(), mend.Command{Argv: argv})
		require.NoError(t, err)
		got, err := again.Run(t.Context(), mend.Command{Argv: argv})
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
}

func TestRecorderKeepsTheFirstOfEqualRuns(t *testing.T) {
	answers := []string{"first\n", "second\n"}
	sb := mendtest.NewReplay(&mendtest.Capture{Tool: "frob"})
	sb.Missing = func([]string) (mend.Observation, error) { // says nothing of what was run
		o := mend.Observation{Stdout: answers[0]}
		answers = answers[1:]
		return o, nil
	}
	rec := mendtest.NewRecorder(sb)
	env := installed(t, rec, recipe("frob", "frob"))
	argv := []string{"frob", "-x"}
	for _, want := range []string{"first\n", "second\n"} {
		o, err := env.Run(t.Context(), mend.Command{Argv: argv})
		require.NoError(t, err)
		assert.Equal(t, want, o.Stdout, "what was run is passed on as it came")
	}
	argv[1] = "-y" // is the caller's again
	assert.Equal(t, []mendtest.Run{{Argv: []string{"frob", "-x"}, Stdout: "first\n"}}, rec.Captures()[0].Runs)
}

func TestRecorderKeepsNoErrors(t *testing.T) {
	rec := mendtest.NewRecorder(mendtest.NewReplay(frob()))
	_, err := rec.Install(t.Context(), recipe("other", "other"))
	require.Error(t, err)
	assert.Empty(t, rec.Captures())

	env := installed(t, rec, recipe("frob", "frob"))
	_, err = env.Run(t.Context(), mend.Command{Argv: []string{"frob", "-V"}})
	require.Error(t, err)
	require.Len(t, rec.Captures(), 1)
	assert.Empty(t, rec.Captures()[0].Runs)
}

func TestRecorderGivesCopies(t *testing.T) {
	rec := mendtest.NewRecorder(mendtest.NewReplay(frob()))
	env := installed(t, rec, recipe("frob", "frob"))
	early := rec.Captures()
	early[0].Tool = "changed"
	_, err := env.Run(t.Context(), mend.Command{Argv: []string{"frob", "--version"}})
	require.NoError(t, err)
	assert.Empty(t, early[0].Runs)
	assert.Equal(t, "frob", rec.Captures()[0].Tool)
	assert.Len(t, rec.Captures()[0].Runs, 1)
}

func TestRecorderIsSafeForConcurrentUse(t *testing.T) {
	rec := mendtest.NewRecorder(mendtest.NewReplay(frob()))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			env, err := rec.Install(t.Context(), recipe("frob", "frob"))
			if !assert.NoError(t, err) {
				return
			}
			var runs sync.WaitGroup
			for range 4 {
				runs.Go(func() {
					_, err := env.Run(t.Context(), mend.Command{Argv: []string{"frob", "--version"}})
					assert.NoError(t, err)
					rec.Captures()
				})
			}
			runs.Wait()
		})
	}
	wg.Wait()
	captures := rec.Captures()
	require.Len(t, captures, 8)
	for _, c := range captures {
		assert.Len(t, c.Runs, 1)
	}
}

func TestCapturesSurviveTheFile(t *testing.T) {
	captures := []*mendtest.Capture{
		frob(),
		{Tool: "bad", Install: "checksum <mismatch>"},
		{Tool: "slow", Runs: []mendtest.Run{
			{Argv: []string{"slow"}, ExitCode: -1, TimedOut: true, Duration: 5 * time.Second},
			{Argv: []string{"slow", "-x"}, ExitCode: -1, Signal: "SIGSEGV", Stdout: "\x1b[1mé\r\n\x00", Truncated: true},
		}},
	}
	var file bytes.Buffer
	require.NoError(t, mendtest.WriteCaptures(&file, captures))
	assert.Equal(t, 3, strings.Count(file.String(), "\n"), "one a line")
	assert.Contains(t, file.String(), "<mismatch>", "people read it too")
	got, err := mendtest.ReadCaptures(&file)
	require.NoError(t, err)
	assert.Equal(t, captures, got)
}

func TestReadCaptures(t *testing.T) {
	tests := []struct {
		name, text string
		tools      []string
		err        string
	}{
		{name: "nothing"},
		{name: "blanks", text: " \n\n"},
		{name: "several behind one another", text: `{"tool":"a","runs":[]}{"tool":"b","runs":[]} ` + "\n" + `{"tool":"c","runs":[]}`, tools: []string{"a", "b", "c"}},
		{name: "over several lines", text: "{\n \"tool\": \"a\",\n \"runs\": []\n}\n", tools: []string{"a"}},
		{name: "unknown key", text: `{"tool":"a","runs":[],"label":"works"}`, err: `capture 0: json: unknown field "label"`},
		{name: "unknown key of a run", text: `{"tool":"a","runs":[{"argv":["a"],"exit":1}]}`, err: `capture 0: json: unknown field "exit"`},
		{name: "unknown key of a later one", text: `{"tool":"a","runs":[]}{"tool":"b","exit":1}`, err: `capture 1: json: unknown field "exit"`},
		{name: "run without a program", text: `{"tool":"a","runs":[{"argv":["a"]},{"argv":[]}]}`, err: "capture 0 (a): run 1 has no argv"},
		{name: "run without argv", text: `{"tool":"a","runs":[{"exit_code":1}]}`, err: "capture 0 (a): run 0 has no argv"},
		{name: "cut off", text: `{"tool":"a","runs":[]}{"tool":"b","ru`, err: "capture 1: unexpected EOF"},
		{name: "no object", text: `[{"tool":"a"}]`, err: "capture 0: json: cannot unmarshal array"},
		{name: "wrong type", text: `{"tool":"a","runs":[{"argv":"a"}]}`, err: "capture 0: json: cannot unmarshal string"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			captures, err := mendtest.ReadCaptures(strings.NewReader(tt.text))
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				assert.Nil(t, captures)
				return
			}
			require.NoError(t, err)
			var tools []string
			for _, c := range captures {
				tools = append(tools, c.Tool)
			}
			assert.Equal(t, tt.tools, tools)
		})
	}
}

// failingWriter fails after some bytes.
type failingWriter struct{ room int }

var errFull = errors.New("full")

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.room -= len(p); w.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteCapturesReportsTheWriter(t *testing.T) {
	assert.ErrorIs(t, mendtest.WriteCaptures(&failingWriter{room: 10}, []*mendtest.Capture{frob()}), errFull)
}

func TestRunOf(t *testing.T) {
	o := mend.Observation{
		Argv: []string{"frob"}, ExitCode: -1, Signal: "SIGKILL", TimedOut: true,
		Stdout: "out", Stderr: "err", Truncated: true, Duration: time.Second,
	}
	assert.Equal(t, o, mendtest.RunOf(o).Observation())
}

func TestScriptedBuilderFollowsItsScript(t *testing.T) {
	first, second := recipe("frob", "frob -a"), recipe("frob", "frob -b")
	b := mendtest.NewScriptedBuilder(first, second)
	assert.Equal(t, "scripted", b.Name())
	for n := range 2 { // each session from the start
		s, err := b.NewSession(t.Context(), mend.BuildRequest{Package: "frob"})
		require.NoError(t, err)
		r, err := s.Generate(t.Context())
		require.NoError(t, err)
		assert.Same(t, first, r)

		failures := []*mend.Failure{{Recipe: first}, {Recipe: second}}
		r, err = s.Repair(t.Context(), failures[0])
		require.NoError(t, err)
		assert.Same(t, second, r)
		r, err = s.Repair(t.Context(), failures[1])
		assert.ErrorIs(t, err, mend.ErrRepairNotSupported)
		assert.Nil(t, r)

		require.Len(t, b.Failures(), 2*n+2)
		assert.Same(t, failures[0], b.Failures()[2*n])
		assert.Same(t, failures[1], b.Failures()[2*n+1], "also what it had no answer to")
		assert.Equal(t, n, b.Closed())
		require.NoError(t, s.Close())
		assert.Equal(t, n+1, b.Closed())
	}
}

func TestScriptedBuilderGivesCopies(t *testing.T) {
	b := mendtest.NewScriptedBuilder(recipe("frob", "frob"))
	s, err := b.NewSession(t.Context(), mend.BuildRequest{})
	require.NoError(t, err)
	_, err = s.Repair(t.Context(), &mend.Failure{})
	require.NoError(t, err)
	b.Failures()[0] = nil
	assert.NotNil(t, b.Failures()[0])
}

func TestScriptedBuilderNeedsAScript(t *testing.T) {
	assert.PanicsWithValue(t, "mendtest.NewScriptedBuilder: empty script", func() { mendtest.NewScriptedBuilder() })
}
