package plan_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/plan"
)

// outputCase is one case of testdata/outputs.
type outputCase struct {
	name string
	part plan.Part
	want plan.Code
	obs  mend.Observation
}

// outputCases reads testdata/outputs.
func outputCases(t *testing.T) []outputCase {
	files, err := filepath.Glob("testdata/outputs/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var all []outputCase
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		for n, block := range strings.Split(strings.TrimSpace(string(data)), "\n\n") {
			lines := strings.Split(block, "\n")
			require.GreaterOrEqual(t, len(lines), 3, "%s: %s", file, block)
			entry, ok := strings.CutPrefix(lines[0], "$ ")
			require.True(t, ok, "%s: %s", file, lines[0])
			parts, err := plan.Split(entry)
			require.NoError(t, err, "%s: %s", file, entry)
			c := outputCase{name: filepath.Base(file) + " " + strconv.Itoa(n) + " " + entry, part: parts[len(parts)-1]}
			want, ok := strings.CutPrefix(lines[1], "want ")
			require.True(t, ok, "%s: %s", file, lines[1])
			if want != "pass" {
				c.want = plan.Code(want)
			}
			c.obs.ExitCode, err = strconv.Atoi(strings.TrimPrefix(lines[2], "exit "))
			require.NoError(t, err, "%s: %s", file, lines[2])
			for _, line := range lines[3:] {
				line = strings.ReplaceAll(line, "␛", "\x1b")
				switch {
				case strings.HasPrefix(line, "1|"):
					c.obs.Stdout += line[2:] + "\n"
				case strings.HasPrefix(line, "2|"):
					c.obs.Stderr += line[2:] + "\n"
				default:
					require.Fail(t, "a line of an output begins 1| or 2|", "%s: %s", file, line)
				}
			}
			all = append(all, c)
		}
	}
	return all
}

// TestResolveCodeOfOutputs holds as well that neither colour nor line ends nor the
// stream change what an output says.
func TestResolveCodeOfOutputs(t *testing.T) {
	for _, c := range outputCases(t) {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, plan.ResolveCode(c.part, c.obs, nil), "%s%s", c.obs.Stdout, c.obs.Stderr)
			for name, change := range map[string]func(string) string{
				"coloured": coloured, "carriage returns": func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }, "streams changed": strings.Clone,
			} {
				obs := c.obs
				obs.Stdout, obs.Stderr = change(c.obs.Stderr), change(c.obs.Stdout)
				assert.Equal(t, c.want, plan.ResolveCode(c.part, obs, nil), name)
			}
		})
	}
}

// coloured returns text as tools write it for a terminal: the first word of a line
// in one colour, the rest in another.
func coloured(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		first, rest, more := strings.Cut(line, " ")
		if first != "" {
			lines[i] = "\x1b[31m" + first + "\x1b[39m"
		}
		if more {
			lines[i] += " \x1b[1;4m" + rest + "\x1b[0m\x1b[K"
		}
	}
	return strings.Join(lines, "\n")
}

// TestEverySignalIsHeard holds that each row of the tables is met by some case, and
// that its line is no signal any more where a test quotes it.
func TestEverySignalIsHeard(t *testing.T) {
	lines := map[string]outputCase{}
	for _, c := range outputCases(t) {
		for title, line := range plan.SignalsIn(c.part, c.obs) {
			if _, ok := lines[title]; !ok {
				c.name = line
				lines[title] = c
			}
		}
	}
	for _, title := range plan.SignalTexts() {
		c, ok := lines[title]
		if !assert.True(t, ok, "no case has %s", title) {
			continue
		}
		for _, quoted := range []string{
			"    Expected: \"" + c.name + "\"", "    + " + c.name, "AssertionError: expected '" + c.name + "' to equal x",
			"--- expected " + c.name, "E         + " + c.name, "    > 12 |   expect(out).toContain('" + c.name + "')",
		} {
			found := plan.SignalsIn(c.part, mend.Observation{ExitCode: c.obs.ExitCode, Stdout: quoted + "\n"})
			assert.NotContains(t, found, title, quoted)
		}
	}
}

// TestToolBehindLaunchers asks by the exit code that means something for pytest and
// for no other tool.
func TestToolBehindLaunchers(t *testing.T) {
	code := func(line string) plan.Code {
		parts, err := plan.Split(line)
		require.NoError(t, err, line)
		return plan.ResolveCode(parts[0], mend.Observation{ExitCode: 5, Stdout: "x"}, nil)
	}
	for _, line := range []string{
		"pytest", "pytest-3", "py.test", "/usr/bin/pytest x", ".venv/bin/pytest", `'C:\venv\Scripts\pytest.exe'`, "A=1 pytest",
		"env A=1 -u B pytest", "/usr/bin/env pytest", "nice -n 5 pytest", "nice -5 pytest", "nohup pytest", "'time' -f %e pytest", "stdbuf -oL -e 0 pytest", "setsid pytest",
		"ionice -c 3 pytest", "timeout 60 pytest", "timeout -k 5 --signal=KILL 60 pytest", "xvfb-run -a -s '-screen 0' pytest", "env nice timeout 5 poetry run python -m pytest",
		"npx pytest", "npx -y -p x pytest", "npm exec -- pytest", "npm exec pytest -q", "pnpm exec pytest", "pnpm -C web dlx pytest", "yarn dlx pytest", "yarn exec pytest", "bunx pytest", "pnpx pytest",
		"bundle exec pytest", "poetry run pytest", "poetry -C dir run pytest", "uv run pytest", "uv run --with x -p 3.12 pytest", "uv run -- pytest", "pipenv run pytest", "pdm run pytest", "hatch run pytest",
		"hatch -e test run pytest", "rye run pytest", "python -m pytest", "python3.11 -X dev -m pytest", "python3 -W error -m pytest -q", "python -Im pytest", "python .venv/bin/pytest", "python3 -m unittest",
	} {
		assert.Equal(t, plan.CodeNoTestFiles, code(line), line)
	}
	for _, line := range []string{
		"make pytest", "echo pytest", "poetry install pytest", "npm run pytest", "npm test", "yarn pytest", "python pytest.py", "python x.py -m pytest", "python -c pytest", "python", "env", "timeout 5",
		"uv pip install pytest", "bundle pytest", "npx", "tox", "mypytest",
	} {
		assert.Equal(t, plan.CodeCommandFailed, code(line), line)
	}
}
