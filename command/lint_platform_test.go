package command_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mendkit/mend/command"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// platformRows are lines with the option or the program that not all platforms
// have, and what is said on gnu, bsd and busybox: + nothing, - an error, ~ a
// warning.
const platformRows = `
find . -printf x|-printf|+--
find . -fprintf x y|-fprintf|+--
find . -regextype egrep|-regextype|+--
grep -P x|-P|+--
grep --perl-regexp x|--perl-regexp|+--
stat --format %n x|--format|+--
stat --format=%n x|--format|+--
stat --printf=%n x|--printf|+--
stat -c %n x|-c|+-+
stat -f %z x|-f|-+-
stat -f%z x|-f|-+-
stat -L -f %z x|-f|-+-
du --max-depth=1|--max-depth|+--
du --apparent-size|--apparent-size|+--
ps --sort=-rss|--sort|+--
ps aux --sort rss|--sort|+--
ls --sort=size|--sort|+--
ls --group-directories-first|--group-directories-first|+~+
readlink -f x|-f|+~+
readlink -e x|-e|+--
readlink -m x|-m|+--
readlink --canonicalize x|--canonicalize|+--
readlink --canonicalize-existing x|--canonicalize-existing|+--
readlink --canonicalize-missing x|--canonicalize-missing|+--
xargs -d , x|-d|+--
xargs --delimiter=, x|--delimiter|+--
ln -sr x y|-r|+--
ln --relative -s x y|--relative|+--
realpath --relative-to=x y|--relative-to|+--
cut --complement -f 1|--complement|+--
tar --wildcards -tf x|--wildcards|+--
sort -h x|-h|+~-
sort --human-numeric-sort x|--human-numeric-sort|+~-
sort --parallel=2 x|--parallel|+~-
date -d x|-d|+-+
date --date=x|--date|+-+
base64 -w 0|-w|+~+
base64 --wrap=0|--wrap|+~+
sed --in-place s/a/b/ x|--in-place|+-+
sed --in-place=.bak s/a/b/ x|--in-place|+-+
sed -i s/a/b/ x|-i|+-+
sed -ni s/a/b/ x|-i|+-+
sed -i -e s/a/b/ x|-i|+-+
sed -i '' s/a/b/ x|-i ''|-+-
sed -i .bak s/a/b/ x|-i ''|-+-
sed -Ei '' s/a/b/ x|-i ''|-+-
cp --parents x y|--parents|+-+
ss -l|ss|+-~
systemctl status|systemctl|+-~
journalctl -n 1|journalctl|+-~
lsblk|lsblk|+-~
lscpu|lscpu|+-~
free|free|+-+
ip a|ip|+~+
tac x|tac|+~+
nproc|nproc|+~+
timeout 5 x|timeout|+~+
sha256sum x|sha256sum|+~+
ldconfig -p|ldconfig|+~~
apt-get update|apt-get|+--
dpkg -l|dpkg|+--
sw_vers|sw_vers|-~-
pbcopy|pbcopy|-~-
find . -printf %p|-printf|+--
find . -fprintf out.txt %p|-fprintf|+--
find . -regextype posix-extended -name x|-regextype|+--
sort -rh x|-h|+~-
sort -k2 -h x|-h|+~-
sort --human-num x|--human-numeric-sort|+~-
sort --parallel=4 x|--parallel|+~-
grep -P x y|-P|+--
grep -Po x y|-P|+--
grep -oP x y|-P|+--
grep --perl-regexp x y|--perl-regexp|+--
grep --perl x y|--perl-regexp|+--
stat -c %s x|-c|+-+
stat -Lc %s x|-c|+-+
stat --format=%s x|--format|+--
stat --format %s x|--format|+--
stat --printf=%s x|--printf|+--
stat -f '%N %z' x|-f|-+-
du --max-depth=1 x|--max-depth|+--
du --max-depth 1 x|--max-depth|+--
du --apparent-size x|--apparent-size|+--
date -d @0|-d|+-+
date --date=yesterday|--date|+-+
date -u -d yesterday|-d|+-+
date -ud yesterday|-d|+-+
ls --group-dir|--group-directories-first|+~+
base64 -w 0 x|-w|+~+
base64 -w0 x|-w|+~+
base64 --wrap=0 x|--wrap|+~+
readlink -nf x|-f|+~+
xargs -d , echo|-d|+--
xargs -d, echo|-d|+--
xargs --delimiter=, echo|--delimiter|+--
sed -ni s/a/b/p x|-i|+-+
ln -r -s x y|-r|+--
ln -s --relative x y|--relative|+--
realpath --relative-to=/x y|--relative-to|+--
realpath --relative-to x y|--relative-to|+--
cut -d, -f1 --complement x|--complement|+--
tar --wildcards -xf x.tar|--wildcards|+--
cp --parents a b|--parents|+-+
ss -tln|ss|+-~
systemctl status x|systemctl|+-~
journalctl -n 5|journalctl|+-~
free -m|free|+-+
ip addr|ip|+~+
timeout 5 foo|timeout|+~+`

// noOptionLines have nothing in them that a platform lacks.
const noOptionLines = `
grep -e -P x
grep -- -P x
grep -eP x
grep x -- -P
grep -A 5 -m 3 x y
sort -t h -k 2 x
sort -th x
sort -k 2h x
find . -name -printf
find . -path -printf -print
stat -t x
stat -f x
stat -- -c
du -d 1 x
date -r x
date +-d
readlink x
readlink -- -f
xargs -0 echo
xargs -I d echo d
xargs echo -d
sed -i.bak s/a/b/ x
sed -n p x
sed -e -i x
ln -s x y
ln -t -r x
cut -d r -f 1 x
tar -xf --wildcards
{install_dir}/bin/grep -P x y
./grep -P x y
/opt/x/bin/stat -c %s x
{install_dir}/bin/ss -l
foo -P
foo --sort=size
grep --version
echo grep -P
xargs grep x
ls -S
ls -I --sort x
base64 -d x
ps -o pid --no-headers
cp -S --parents a b`

func TestLintPlatforms(t *testing.T) {
	for row := range strings.SplitSeq(strings.TrimSpace(platformRows), "\n") {
		fields := strings.Split(row, "|")
		line, name, want := fields[0], fields[1], fields[2]
		code := command.FlagNotSupported
		if strings.HasPrefix(line, name) {
			code = command.ToolUnavailable
		}
		for i, platform := range []string{command.PlatformGNU, command.PlatformBSD, command.PlatformBusyBox, ""} {
			severity := command.SeverityInfo
			if platform != "" {
				severity = map[byte]command.Severity{'+': 0, '~': command.SeverityWarn, '-': command.SeverityError}[want[i]]
			}
			p := &command.Profile{Platform: platform}
			found := command.Lint(line, p)
			checkFindings(t, line, p)
			if severity == 0 {
				assert.Empty(t, found, "%q on %q", line, platform)
				continue
			}
			if assert.Len(t, found, 1, "%q on %q", line, platform) {
				assert.Equal(t, code, found[0].Code, "%q on %q", line, platform)
				assert.Equal(t, name, found[0].Detail, "%q on %q", line, platform)
				assert.Equal(t, severity, found[0].Severity, "%q on %q", line, platform)
			}
		}
		checkCapability(t, line, name, code)
	}
}

// checkCapability checks that what was found out about a system beats the table.
func checkCapability(t *testing.T, line, name string, code command.FindingCode) {
	t.Helper()
	key := name
	if code == command.FlagNotSupported {
		program, _, _ := strings.Cut(line, " ")
		key = program + " " + name
	}
	for _, platform := range []string{command.PlatformGNU, command.PlatformBSD, command.PlatformBusyBox, ""} {
		p := &command.Profile{Platform: platform, Capabilities: map[string]bool{key: true}}
		assert.Empty(t, command.Lint(line, p), "%q with %s on %q", line, key, platform)
		p.Capabilities[key] = false
		found := command.Lint(line, p)
		if assert.Len(t, found, 1, "%q without %s on %q", line, key, platform) {
			assert.Equal(t, command.SeverityError, found[0].Severity)
			assert.Contains(t, found[0].Message, "this system")
		}
	}
}

func TestLintPlatformsElsewhere(t *testing.T) {
	bsd := &command.Profile{Platform: command.PlatformBSD}
	for _, tt := range []struct{ name, line, want string }{
		{"a directory of the system's", "/usr/bin/grep -P x", "FlagNotSupported/-P"},
		{"another one", "/usr/local/bin/grep -P x", "FlagNotSupported/-P"},
		{"another directory", "/opt/bin/grep -P x", ""},
		{"the install directory", "{install_dir}/bin/grep -P x", ""},
		{"a relative path", "./grep -P x", ""},
		{"a program of the install directory", "{install_dir}/bin/ss", ""},
		{"a program of BusyBox", "busybox grep -P x", ""},
		{"behind a launcher", "nice grep -P x", "FlagNotSupported/-P"},
		{"behind a launcher of one's own", "./nice grep -P x", "FlagNotSupported/-P"},
		{"in nested text", "sh -c 'ls | grep -P x'", "FlagNotSupported/-P"},
		{"in shell text", "ls | grep -P x", "FlagNotSupported/-P NeedsShell/operator"},
		{"both", "timeout 5 grep -P x", "FlagNotSupported/-P ToolUnavailable/timeout"},
		{"a suffix that is right everywhere", "sed -i.bak s/a/b/ x", ""},
		{"stat of a file system", "stat -f /", ""},
		{"stat of a file system with a format", "stat -f -c %T /", "FlagNotSupported/-c"},
		{"a program that no table knows", "foo --printf", ""},
		{"an option that no table knows", "grep --foo -q x", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, strings.Join(said(tt.line, bsd), " "))
		})
	}
	assert.Empty(t, said("stat -f -c %T /", gnu), "GNU reads it as a file system's format")
	assert.Equal(t, []string{"ToolUnavailable/foo"}, said("foo", &command.Profile{Capabilities: map[string]bool{"foo": false}}), "what was not found is not there")
	assert.Empty(t, said("sort -h", &command.Profile{Platform: command.PlatformBusyBox, Capabilities: map[string]bool{"sort --human-numeric-sort": true}}), "one spelling speaks for the other")
}

// TestLintNoOption holds that what only looks like an option of the tables is none: a
// value, an operand, the argument of a predicate, the program of somebody else.
func TestLintNoOption(t *testing.T) {
	for line := range strings.SplitSeq(strings.TrimSpace(noOptionLines), "\n") {
		for _, platform := range []string{command.PlatformGNU, command.PlatformBSD, command.PlatformBusyBox, ""} {
			assert.Empty(t, said(line, &command.Profile{Platform: platform}), "%q on %q", line, platform)
		}
	}
}

// runner starts programs for DetectProfile.
type runner func(context.Context, []string) (string, int, error)

// real runs programs of this machine, behind some words.
func real(before ...string) runner {
	return func(ctx context.Context, argv []string) (string, int, error) {
		argv = append(append([]string{}, before...), argv...)
		cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		err := cmd.Run()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			return out.String(), exit.ExitCode(), nil
		}
		return out.String(), 0, err
	}
}

// TestDetectProfile holds the tables to the programs of this machine, as far as it
// has them.
func TestDetectProfile(t *testing.T) {
	for platform, run := range map[string]runner{command.PlatformGNU: real(), command.PlatformBusyBox: real("busybox")} {
		t.Run(platform, func(t *testing.T) {
			if _, err := exec.LookPath("busybox"); err != nil && platform == command.PlatformBusyBox {
				t.Skipf("no busybox on this machine: %v", err)
			}
			p, err := command.DetectProfile(t.Context(), run)
			require.NoError(t, err)
			if p.Platform != platform {
				t.Skipf("this machine is %q", p.Platform)
			}
			for key, there := range p.Capabilities {
				table := command.Lint(lineFor(key), &command.Profile{Platform: platform})
				assert.Equal(t, there, len(table) == 0, "%s: %v", key, table)
			}
			assert.NotEmpty(t, p.Capabilities)
		})
	}
}

// lineFor returns the line of the platform rows for a key of Capabilities.
func lineFor(key string) string {
	for row := range strings.SplitSeq(strings.TrimSpace(platformRows), "\n") {
		fields := strings.Split(row, "|")
		if program, _, _ := strings.Cut(fields[0], " "); program+" "+fields[1] == key {
			return fields[0]
		}
	}
	return "no row for " + key
}

func TestDetectProfilePlatforms(t *testing.T) {
	for _, tt := range []struct{ ls, uname, want string }{
		{"ls (GNU coreutils) 9.1\n", "Linux", command.PlatformGNU},
		{"ls: unrecognized option: version\nBusyBox v1.35.0 () multi-call binary.", "Linux", command.PlatformBusyBox},
		{"ls: unrecognized option `--version'", "Darwin", command.PlatformBSD},
		{"", "FreeBSD", command.PlatformBSD},
		{"", "OpenBSD", command.PlatformBSD},
		{"", "DragonFly", command.PlatformBSD},
		{"ls (GNU coreutils) 9.1", "Darwin", command.PlatformGNU},
		{"", "Linux", ""},
	} {
		p, err := command.DetectProfile(t.Context(), func(_ context.Context, argv []string) (string, int, error) {
			switch argv[0] {
			case "ls":
				return tt.ls, 0, nil
			case "uname":
				return tt.uname, 0, nil
			}
			return "", 0, nil
		})
		require.NoError(t, err)
		assert.Equal(t, tt.want, p.Platform, "%s %s", tt.ls, tt.uname)
	}
}

func TestDetectProfileProbes(t *testing.T) {
	var ran []string
	answer := func(exit int, err error) runner {
		return func(_ context.Context, argv []string) (string, int, error) {
			line := command.Join(argv)
			ran = append(ran, line)
			argv[0] = "changed" // what it is given is its own
			return "", exit, err
		}
	}
	all, err := command.DetectProfile(t.Context(), answer(0, nil))
	require.NoError(t, err)
	first := ran
	for key, there := range all.Capabilities {
		assert.True(t, there, key)
		assert.NotContains(t, lineFor(key), "no row")
	}
	for _, line := range first {
		assert.False(t, command.Lint(line, nil) != nil && command.Lint(line, nil)[0].Severity == command.SeverityFatal, "%q", line)
		program, _, _ := strings.Cut(line, " ")
		assert.NotContains(t, []string{"cp", "ln", "sed", "rm", "sh"}, program, "it would write")
	}

	ran = nil
	none, err := command.DetectProfile(t.Context(), answer(1, nil))
	require.NoError(t, err)
	assert.Equal(t, first, ran, "the same in the same order")
	assert.Len(t, none.Capabilities, len(all.Capabilities))
	for key, there := range none.Capabilities {
		assert.Equal(t, strings.HasPrefix(key, "grep "), there, "%s: a grep that finds nothing knows the option all the same", key)
	}
	for _, exit := range []int{126, 127, -1} {
		unknown, err := command.DetectProfile(t.Context(), answer(exit, nil))
		require.NoError(t, err)
		assert.Empty(t, unknown.Capabilities)
	}
	for _, missing := range []error{exec.ErrNotFound, fmt.Errorf("start: %w", os.ErrNotExist)} {
		unknown, err := command.DetectProfile(t.Context(), answer(0, missing))
		require.NoError(t, err)
		assert.Empty(t, unknown.Capabilities)
	}
	broken := errors.New("no container")
	_, err = command.DetectProfile(t.Context(), answer(0, broken))
	require.ErrorIs(t, err, broken)
	n := 0
	_, err = command.DetectProfile(t.Context(), func(context.Context, []string) (string, int, error) {
		if n++; n > 5 {
			return "", 0, broken
		}
		return "", 0, nil
	})
	require.ErrorIs(t, err, broken, "in the middle too")
}

func TestHostProfile(t *testing.T) {
	p := command.HostProfile()
	assert.Nil(t, p.AllowedTools)
	assert.Empty(t, p.Capabilities)
	if runtime.GOOS != "linux" {
		t.Skipf("no more is known of %s here", runtime.GOOS)
	}
	target, err := filepath.EvalSymlinks("/bin/ls")
	require.NoError(t, err)
	want := command.PlatformGNU
	if filepath.Base(target) == "busybox" {
		want = command.PlatformBusyBox
	}
	assert.Equal(t, want, p.Platform)
}
