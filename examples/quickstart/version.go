package main

import (
	"context"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// owner is how a package manager says which package a file belongs to, and
// which version that has.
type owner struct {
	find    []string // the file's path is appended
	name    *regexp.Regexp
	version []string // the package's name is appended
}

var owners = []owner{
	{[]string{"dpkg-query", "-S"}, regexp.MustCompile(`^([^ :,]+)`), []string{"dpkg-query", "-W", "-f", "${source:Upstream-Version}"}},
	{[]string{"rpm", "-qf", "--qf", "%{NAME}"}, regexp.MustCompile(`^(\S+)$`), []string{"rpm", "-q", "--qf", "%{VERSION}"}},
	{[]string{"pacman", "-Qqo"}, regexp.MustCompile(`^(\S+)$`), []string{"pacman", "-Q"}},
}

// packagedVersion returns the upstream version that the system's package manager
// has on record for a program, or "".
func packagedVersion(ctx context.Context, name string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	paths := []string{path}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		paths = append(paths, real, strings.TrimPrefix(real, "/usr"))
	}
	for _, o := range owners {
		for _, p := range paths {
			out, err := output(ctx, o.find, p)
			if m := o.name.FindStringSubmatch(out); err == nil && m != nil {
				version, _ := output(ctx, o.version, m[1])
				return upstream(version)
			}
		}
	}
	return ""
}

func output(ctx context.Context, argv []string, arg string) (string, error) {
	out, err := exec.CommandContext(ctx, argv[0], append(argv[1:len(argv):len(argv)], arg)...).Output()
	return strings.TrimSpace(string(out)), err
}

// upstream returns what of a packaged version is the program's own: what stands
// before a distribution's suffix.
func upstream(version string) string {
	version = version[strings.LastIndexAny(version, " :")+1:]
	if i := strings.IndexAny(version, "+~"); i > 0 {
		version = version[:i]
	}
	return version
}
