package command

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"runtime"
	"strings"
)

// Platforms that [Profile] knows: whose tools and options the system has.
const (
	PlatformGNU     = "gnu"     // GNU coreutils and their like
	PlatformBSD     = "bsd"     // the BSDs, macOS too
	PlatformBusyBox = "busybox" // one program for all, as on Alpine
)

// Profile says where a command is to run. Nil and the zero value are a system of
// which nothing is known and on which any program may run.
type Profile struct {
	// Platform is one of the Platform constants; all else means that it is not known.
	Platform string
	// AllowedTools are the programs that may be started, by name or path. Nil allows
	// all, empty none. Programs that start programs have to be allowed as well.
	AllowedTools []string
	// Capabilities says what was found out about this very system, and beats what is
	// known of its platform. A key is a program, as "ss", or one of its options, as
	// "sort -h" or "find -printf".
	Capabilities map[string]bool
	// Paths are existing paths that hold blanks, as an install directory. Where one
	// stands in a line without quotes, the line is not what was meant.
	Paths []string
}

// HostProfile returns the profile of the system that this program runs on. It
// goes by the operating system, and on Linux by where /bin/ls leads; nothing runs.
func HostProfile() *Profile {
	switch runtime.GOOS {
	case "linux":
		if target, err := os.Readlink("/bin/ls"); err == nil && path.Base(target) == "busybox" {
			return &Profile{Platform: PlatformBusyBox}
		}
		return &Profile{Platform: PlatformGNU}
	case "darwin", "ios", "freebsd", "netbsd", "openbsd", "dragonfly":
		return &Profile{Platform: PlatformBSD}
	}
	return &Profile{}
}

// DetectProfile finds out about the system that run starts programs on, as a
// container. It runs ls, uname and the options of the platform tables, one at a
// time, on / and /dev/null; none of them writes.
//
// The function returns what a program wrote to both streams and its exit code. Its
// error ends the search and is returned, but for [exec.ErrNotFound] and
// [fs.ErrNotExist], which say like the exit codes 126 and 127 that there is no such
// program: then nothing is noted about its options.
func DetectProfile(ctx context.Context, run func(context.Context, []string) (out string, exit int, err error)) (*Profile, error) {
	p := &Profile{Capabilities: map[string]bool{}}
	for _, argv := range [][]string{{"ls", "--version"}, {"uname", "-s"}} {
		out, _, err := run(ctx, argv)
		if err != nil && !notThere(err) {
			return nil, err
		}
		if p.Platform == "" {
			p.Platform = platformIn(out)
		}
	}
	if err := p.probe(ctx, run); err != nil {
		return nil, err
	}
	return p, nil
}

// notThere reports whether an error means that there is no such program.
func notThere(err error) bool {
	return errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist)
}

// platformIn returns the platform that the output of ls or uname gives away, or "".
func platformIn(out string) string {
	switch {
	case strings.Contains(out, "BusyBox"):
		return PlatformBusyBox
	case strings.Contains(out, "coreutils"):
		return PlatformGNU
	case strings.Contains(out, "Darwin"), strings.Contains(out, "BSD"), strings.Contains(out, "DragonFly"):
		return PlatformBSD
	}
	return ""
}
