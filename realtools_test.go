package mend_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/internal/hosttools"
	"github.com/mendkit/mend/mendtest"
)

// Bounds of TestRealTools.
const (
	realPerPackage = 6  // programs of a package that are mended
	realBroken     = 2  // mended programs of a package that are broken on purpose
	realEnough     = 60 // programs from which on shares say something
	realMended     = 85 // percent of the programs that fail --version
)

// realTool is a program of this machine.
type realTool struct{ name, lang, pkg, version string }

// realTools returns the programs of those packages of testdata/realtools.packages
// that are installed.
func realTools(t *testing.T) []realTool {
	file, err := os.Open("testdata/realtools.packages")
	require.NoError(t, err)
	defer file.Close()
	var tools []realTool
	var names []string
	for lines := bufio.NewScanner(file); lines.Scan(); {
		pkg, lang, ok := strings.Cut(lines.Text(), " ")
		if !ok || pkg == "#" {
			continue
		}
		listing, err := exec.Command("dpkg-query", "-L", pkg).Output()
		if err != nil {
			continue // not installed, or no Debian
		}
		var programs []string
		for path := range strings.Lines(string(listing)) {
			path = strings.TrimSpace(path)
			if found, err := exec.LookPath(filepath.Base(path)); err == nil && sameFile(path, found) {
				programs = append(programs, filepath.Base(path))
			}
		}
		slices.Sort(programs)
		for i := range min(len(programs), realPerPackage) {
			name := programs[i*len(programs)/min(len(programs), realPerPackage)] // from all over the alphabet
			tools = append(tools, realTool{name: name, lang: strings.TrimSpace(lang), pkg: pkg})
			names = append(names, name)
		}
	}
	versions := hosttools.PackagedVersions(t.Context(), names)
	for i := range tools {
		tools[i].version = versions[tools[i].name]
	}
	return tools
}

// sameFile reports whether a path is of the regular file that another one is of.
func sameFile(path, other string) bool {
	a, err := os.Stat(path)
	b, err2 := os.Stat(other)
	return err == nil && err2 == nil && a.Mode().IsRegular() && os.SameFile(a, b)
}

// create takes the tool through the loop, with the recipe of a builder that knows
// nothing.
func (tool realTool) create(ctx context.Context, sb mend.Sandbox) *corpusOutcome {
	recorder := mendtest.NewRecorder(sb)
	recipe := &mend.Recipe{Metadata: mend.Metadata{Name: tool.name}, Verify: &mend.VerifySection{Command: tool.name + " --version"}}
	o := &corpusOutcome{corpusRow: &corpusRow{ID: tool.pkg + "/" + tool.name, Tool: tool.name, Package: tool.pkg, Version: tool.version, Lang: tool.lang, Label: "works"}}
	o.result, o.err = mend.New(recorder, nil).Create(ctx, mend.StaticBuilder(recipe), mend.BuildRequest{Package: tool.name, Version: tool.version})
	o.Runs = make(map[string]corpusRun)
	for _, c := range recorder.Captures() {
		o.installs, o.runs = o.installs+1, o.runs+len(c.Runs)
		for _, run := range c.Runs {
			o.Runs[strings.Join(run.Argv[1:], " ")] = corpusRun{Exit: run.ExitCode, Stdout: run.Stdout, Stderr: run.Stderr, Timeout: run.TimedOut}
		}
	}
	return o
}

// TestRealTools mends programs of this machine, in many languages, where they
// are; holds that each mended check passes again; and that it fails, and the
// recipe is refused, for copies of them that are broken in several ways.
func TestRealTools(t *testing.T) {
	sb := mend.NewLocalSandbox(nil)
	if _, err := sb.Isolation(); err != nil {
		t.Skip("programs of this machine are only run in isolation: ", err)
	}
	tools := realTools(t)
	if len(tools) < 10 {
		t.Skipf("%d programs of testdata/realtools.packages are here; .ci/run installs them", len(tools))
	}
	outcomes := make([]*corpusOutcome, len(tools))
	eachInParallel(len(tools), func(i int) { outcomes[i] = tools[i].create(t.Context(), sb) })

	var all corpusFigures
	byLang := make(map[string]*corpusFigures)
	for _, o := range outcomes {
		var failed *mend.ValidationFailedError
		require.True(t, o.err == nil || errors.As(o.err, &failed), "%s: %v", o.ID, o.err)
		assert.Equal(t, 1, o.installs, o.ID)
		if o.err != nil {
			t.Logf("%s is not mended: %v", o.ID, o.err)
		}
		if byLang[o.Lang] == nil {
			byLang[o.Lang] = &corpusFigures{}
		}
		all.count(o)
		byLang[o.Lang].count(o)
	}
	t.Logf("%d programs:\n%s", len(outcomes), &all)
	for lang, f := range byLang {
		t.Logf("%-10s %3d pass, %3d of %3d that do not are mended", lang, f.leftAlone, f.mended, f.failing)
	}
	assert.Equal(t, all.passing, all.leftAlone, "a check that passes is left alone")
	if len(outcomes) >= realEnough {
		assert.GreaterOrEqual(t, share(all.mended, all.failing), float64(realMended), "mended")
	}

	t.Run("again", func(t *testing.T) { checksPassAgain(t, outcomes) })
	t.Run("broken", func(t *testing.T) { brokenCopiesAreRefused(t, outcomes) })
}

// checksPassAgain takes each mended recipe through the loop once more: it has to
// pass as it is, with what it proves.
func checksPassAgain(t *testing.T, outcomes []*corpusOutcome) {
	sb := mend.NewLocalSandbox(&mend.LocalOptions{Timeout: time.Minute}) // a loaded machine is no fault
	eachInParallel(len(outcomes), func(i int) {
		o := outcomes[i]
		if !o.mended() {
			return
		}
		again, err := mend.New(sb, nil).Create(t.Context(), mend.StaticBuilder(o.result.Recipe), mend.BuildRequest{Package: o.Tool, Version: o.Version})
		if assert.NoError(t, err, o.ID) {
			assert.Nil(t, again.RepairMetadata, "%s: its mended check %+v is mended again", o.ID, *o.result.Recipe.Verify)
			assert.Equal(t, o.result.Strength == mend.StrengthVersion, again.Strength == mend.StrengthVersion, o.ID)
		}
	})
}

// brokenCopiesAreRefused installs broken copies of mended programs.
func brokenCopiesAreRefused(t *testing.T, outcomes []*corpusOutcome) {
	type brokenCopy struct {
		*corpusOutcome
		hosttools.Damage
	}
	var copies []brokenCopy
	ofPackage := make(map[string]int)
	for _, o := range outcomes {
		if !o.mended() || ofPackage[o.Package] == realBroken {
			continue
		}
		path, err := exec.LookPath(o.Tool)
		require.NoError(t, err)
		program, err := os.ReadFile(path)
		require.NoError(t, err)
		ofPackage[o.Package]++
		for _, d := range hosttools.Damages(program) {
			copies = append(copies, brokenCopy{o, d})
		}
	}
	var mu sync.Mutex
	signatures := make(map[string]int)
	eachInParallel(len(copies), func(i int) {
		c := copies[i]
		sb := mend.NewLocalSandbox(&mend.LocalOptions{Timeout: 3 * time.Second, Installer: installer(map[string]file{"bin/" + c.Tool: {content: string(c.Program)}})})
		naive := &mend.Recipe{Verify: &mend.VerifySection{Command: c.Tool + " --version", Pattern: "{version}"}}
		for _, recipe := range []*mend.Recipe{naive, c.result.Recipe} {
			_, err := mend.New(sb, nil).Create(t.Context(), mend.StaticBuilder(recipe), mend.BuildRequest{Package: c.Tool, Version: c.Version})
			var failed *mend.ValidationFailedError
			if !assert.ErrorAs(t, err, &failed, "%s, %s: %+v", c.ID, c.Name, *recipe.Verify) {
				return
			}
			mu.Lock()
			signatures[fmt.Sprintf("%-14s by %s", c.Name, gaveAway(failed.Failure))]++
			mu.Unlock()
		}
	})
	t.Logf("%d broken copies, each with two recipes:", len(copies))
	for _, s := range slices.Sorted(maps.Keys(signatures)) {
		t.Logf("  %4d %s", signatures[s], s)
	}
}

// gaveAway says what showed that an install is broken.
func gaveAway(f *mend.Failure) string {
	if len(f.Analysis.Evidence) > 0 {
		return f.Analysis.Evidence[0].Signature
	}
	return "nothing that shows that it works"
}
