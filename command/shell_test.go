package command_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mendkit/mend/command"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shell is a program whose reading of a line is compared with Split's.
type shell struct {
	name   string
	argv   []string // without the script
	locale string
	share  int // compares one batch of random lines in so many
}

// shells are those that Split speaks for. Where one is not installed, its
// comparison is skipped.
var shells = []shell{
	{"dash", []string{"dash"}, "C", 1},
	{"bash", []string{"bash", "--norc", "--noprofile"}, "C", 1},
	{"bash in UTF-8", []string{"bash", "--norc", "--noprofile"}, "C.UTF-8", 10},
	{"bash as sh", []string{"bash", "--norc", "--noprofile", "--posix"}, "C.UTF-8", 10},
	{"busybox", []string{"busybox", "sh"}, "C.UTF-8", 1},
}

// In a script, r records its arguments and the variables that lines may set. No
// word of an accepted line holds the two control characters that end an argument
// and a record.
const (
	recorder  = "r() { printf '%s\\002' \"$@\" \"A=$A\" \"a=$a\" \"X=$X\" \"_1=$_1\" \"$S\" >&9; }\n"
	variables = "A=1 a=1 b=2 x=3 X=4"
	argEnd    = "\x02"
	recordEnd = "\x01\x02"
)

// oddNames are files in the directory where the shells run, so that a pattern, a
// brace or a tilde that is acted on shows.
var oddNames = []string{
	"a", "b", "ab", "r", "x", "[a]", "[ab]", "[]", "[", "]", "{a,b}", "{a}", "{", "}", "-x", "~", "=", "#", "!", "a=b", "*", "?",
	"a b", " ", "$", "$a", "\\", "\\a", "a\\b", "'", "\"", ":", ",", "..a", "^", "%", "@", "+", "\xc3\xa9", "\x81", "X=~", "X=",
}

// oddDirectory makes a directory full of odd names.
func oddDirectory(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range oddNames {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Logf("no file %q here: %v", name, err)
		}
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "d"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "d", "[a"), nil, 0o600))
	return dir
}

// run runs a script and returns what it recorded on stream 9, and its standard
// error.
func (s shell) run(dir, tmp, script string) (records []string, stderr string, err error) {
	path, err := exec.LookPath(s.argv[0])
	if err != nil {
		return nil, "", err
	}
	file, out := filepath.Join(tmp, "script"), filepath.Join(tmp, "out")
	script = "S=$(printf '\\001'); " + variables + "\nexec 9>'" + out + "'\n" + recorder + script
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		return nil, "", err
	}
	cmd := exec.CommandContext(context.Background(), path, append(slices.Clone(s.argv[1:]), file)...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=/nonexistent", "HOME=/home/odd", "PWD=" + dir, "LC_ALL=" + s.locale}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	// The exit status is that of the last line and says nothing; a script that was
	// not read to its end lacks records.
	_ = cmd.Run()
	written, err := os.ReadFile(out)
	records = strings.Split(string(written), recordEnd)
	return records[:len(records)-1], errs.String(), err
}

// missing gives the reason why the shell cannot be asked, or "".
func (s shell) missing() string {
	if _, err := exec.LookPath(s.argv[0]); err != nil {
		return fmt.Sprintf("%s is not on this machine: %v", s.name, err)
	}
	return ""
}

// trial is an accepted line, as a shell gets it, with the arguments it must see.
type trial struct {
	line string // as Split was given it
	text string // as it stands in the script
	want []string
	env  []string // the variables set for it
}

// newTrial returns the trial of a line, and false if SplitEnv refuses it. A line
// that starts the recorder by itself is run as it stands, any other becomes
// arguments; one that sets variables has to start the recorder.
func newTrial(line string) (trial, bool) {
	env, argv, err := command.SplitEnv(line)
	text := strings.Trim(line, "\r\n")
	switch {
	case err != nil:
		return trial{}, false
	case argv[0] == "r":
		return trial{line, text, argv[1:], env}, true
	}
	return trial{line, "r " + text, argv, nil}, env == nil
}

// record returns what the recorder writes if the shell reads the line as it was
// split.
func (tr trial) record() string {
	values := map[string]string{"A": "1", "a": "1", "X": "4"}
	for _, set := range tr.env {
		name, value, _ := strings.Cut(set, "=")
		values[name] = value
	}
	all := slices.Clone(tr.want)
	for _, name := range []string{"A", "a", "X", "_1"} {
		all = append(all, name+"="+values[name])
	}
	return strings.Join(all, argEnd) + argEnd
}

// compare runs the trials in one script and reports the first that differs.
func (s shell) compare(t *testing.T, dir string, trials []trial) {
	t.Helper()
	var script strings.Builder
	for _, tr := range trials {
		script.WriteString(tr.text)
		script.WriteByte('\n')
	}
	records, stderr, err := s.run(dir, t.TempDir(), script.String())
	if !assert.NoError(t, err) {
		return
	}
	for i, tr := range trials {
		if i == len(records) {
			t.Errorf("%s stopped at %q, Split: %q; it says %q", s.name, tr.line, tr.want, stderr)
			return
		}
		if records[i] != tr.record() {
			t.Errorf("%q\nSplit: %q %q\n%s: %q\nit says %q", tr.line, tr.env, tr.want, s.name, strings.Split(records[i], argEnd), stderr)
			return
		}
	}
	assert.Len(t, records, len(trials), "%s recorded more than it was given", s.name)
}

// TestSplitAgainstShells holds Split and SplitEnv to their contract: what they
// accept, the shells read the same way.
func TestSplitAgainstShells(t *testing.T) {
	batches := make([][]trial, 21)
	if testing.Short() {
		batches = batches[:1]
	}
	inParallel(len(batches), func(seed int) { batches[seed] = randomTrials(uint64(seed), 10_000) })
	assert.Greater(t, countEnv(batches[0]), 1000, "trials that set variables")
	dir := oddDirectory(t)
	for _, s := range shells {
		t.Run(s.name, func(t *testing.T) {
			if why := s.missing(); why != "" {
				t.Skip(why)
			}
			inParallel(max(1, len(batches)/s.share), func(i int) { s.compare(t, dir, batches[i]) })
		})
	}
}

// countEnv returns how many trials set variables.
func countEnv(trials []trial) (n int) {
	for _, tr := range trials {
		if tr.env != nil {
			n++
		}
	}
	return n
}

// TestSplitShortLines compares every line of a few bytes that Split accepts, among
// them all that no grammar of random lines thinks of.
func TestSplitShortLines(t *testing.T) {
	length := 4
	if testing.Short() {
		length = 3
	}
	dir := oddDirectory(t)
	trials := shortTrials("a=~:{},.[]'\"\\$# !-1", length)
	require.Greater(t, len(trials), 100)
	for _, s := range shells[:2] {
		t.Run(s.name, func(t *testing.T) {
			if why := s.missing(); why != "" {
				t.Skip(why)
			}
			parts := slices.Collect(slices.Chunk(trials, 1+len(trials)/runtime.NumCPU()))
			inParallel(len(parts), func(i int) { s.compare(t, dir, parts[i]) })
		})
	}
}

// inParallel calls f with 0 to n-1 on every processor.
func inParallel(n int, f func(int)) {
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.NumCPU() {
		wg.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

// exempt are first words of which Split's contract does not speak: builtins of
// either shell, jobs, and what bash takes for an array.
var exempt = regexp.MustCompile(`^(?s:[.:[]|%.*|alias|bg|bind|break|builtin|caller|cd|chdir|command|compgen|complete|compopt|continue|` +
	`declare|dirs|disown|echo|enable|eval|exec|exit|export|false|fc|fg|getopts|hash|help|history|jobs|kill|let|local|logout|` +
	`mapfile|popd|printf|pushd|pwd|read|readarray|readonly|return|set|shift|shopt|source|suspend|test|times|trap|true|type|` +
	`typeset|ulimit|umask|unalias|unset|wait|r)$`)

var bashArray = regexp.MustCompile(`^[ \t\r\n]*[A-Za-z0-9_\x80-\xff]+\[`)

// firstWordTrials returns accepted lines as they stand whose first word is a
// program's name that no shell finds.
func firstWordTrials(n int) []trial {
	var trials []trial
	g := newLineSource(7)
	for len(trials) < n {
		line := g.commandLine()
		argv, err := command.Split(line)
		if err != nil || exempt.MatchString(argv[0]) || strings.Contains(argv[0], "/") || bashArray.MatchString(line) {
			continue
		}
		trials = append(trials, trial{line, strings.Trim(line, "\r\n"), argv, nil})
	}
	return trials
}

// TestSplitFirstWord compares lines whose first word stands where assignments and
// reserved words would be seen. Bash hands the words of a command that it does
// not find to a function.
func TestSplitFirstWord(t *testing.T) {
	s := shells[1]
	if why := s.missing(); why != "" {
		t.Skip(why)
	}
	n := 4000
	if testing.Short() {
		n = 400
	}
	dir := oddDirectory(t)
	handler := trial{text: "command_not_found_handle() { r \"$@\"; }; r", want: nil}
	trials := firstWordTrials(n)
	parts := slices.Collect(slices.Chunk(trials, 1+n/runtime.NumCPU()))
	inParallel(len(parts), func(i int) { s.compare(t, dir, append([]trial{handler}, parts[i]...)) })
}

// TestSplitFirstWordDash does the same with dash, which names the command that it
// does not find.
func TestSplitFirstWordDash(t *testing.T) {
	s := shells[0]
	if why := s.missing(); why != "" {
		t.Skip(why)
	}
	trials := firstWordTrials(20_000)
	var script strings.Builder
	for _, tr := range trials {
		script.WriteString(tr.text + "\nprintf '\\001' >&2\n")
	}
	_, stderr, err := s.run(oddDirectory(t), t.TempDir(), script.String())
	require.NoError(t, err)
	complaints := strings.Split(stderr, "\x01")
	require.Len(t, complaints, len(trials)+1, "the script was not read to its end: %.300q", complaints[len(complaints)-1])
	prefix := regexp.MustCompile(`^\S+: [0-9]+: `)
	for i, tr := range trials {
		said := prefix.ReplaceAllString(complaints[i], "")
		require.Contains(t, []string{tr.want[0] + ": not found\n", tr.want[0] + ": Permission denied\n"}, said, "line %q", tr.line)
	}
}

// TestPlainAgainstBash runs lines with all that Plain takes away, and compares
// what the program is given with what is left of them.
func TestPlainAgainstBash(t *testing.T) {
	s := shells[1]
	if why := s.missing(); why != "" {
		t.Skip(why)
	}
	n := 4000
	if testing.Short() {
		n = 400
	}
	// exit and cat are functions here: the script goes on, and PATH holds no cat.
	trials := []trial{{text: "exit() { :; }; cat() { :; }; r"}}
	g := newLineSource(11)
	for len(trials) < n {
		line := g.silencedLine()
		plain, changed := command.Plain(line)
		if !changed {
			continue
		}
		tr, ok := newTrial(plain)
		require.True(t, ok, "Plain(%q) is %q, which does not split", line, plain)
		if strings.HasPrefix(tr.text, "r "+strings.Trim(plain, "\r\n")) {
			line = "r " + line
		}
		trials = append(trials, trial{line, strings.Trim(line, "\r\n"), tr.want, nil})
	}
	s.compare(t, oddDirectory(t), trials)
}
