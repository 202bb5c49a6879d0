// Package hosttools says what examples and tests need to know of the programs of
// the machine they run on.
package hosttools

import (
	"context"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// PackagedVersions returns the upstream versions that the system's package
// manager has on record for programs on PATH. A program that it does not know is
// not in the map.
func PackagedVersions(ctx context.Context, names []string) map[string]string {
	paths := make(map[string][]string)
	for _, name := range names {
		paths[name] = pathsOf(name)
	}
	var found map[string]string // by path
	for _, m := range []struct {
		program string
		ask     func(ctx context.Context, paths []string) map[string]string
	}{{"dpkg-query", askDpkg}, {"rpm", askRPM}, {"pacman", askPacman}} {
		if _, err := exec.LookPath(m.program); err == nil && len(found) == 0 {
			found = m.ask(ctx, slices.Concat(slices.Collect(maps.Values(paths))...))
		}
	}
	versions := make(map[string]string)
	for name, all := range paths {
		for _, path := range all {
			if v := upstream(found[path]); v != "" && versions[name] == "" {
				versions[name] = v
			}
		}
	}
	return versions
}

// pathsOf returns the paths under which a package manager may have a program: as
// it is found, where that leads, and as it was before /bin became a link.
func pathsOf(name string) []string {
	path, err := exec.LookPath(name)
	if err != nil {
		return nil
	}
	paths := []string{path, strings.TrimPrefix(path, "/usr")}
	if real, err := filepath.EvalSymlinks(path); err == nil && real != path {
		paths = append(paths, real, strings.TrimPrefix(real, "/usr"))
	}
	return paths
}

// askDpkg asks for all paths at once, since each question reads all lists.
func askDpkg(ctx context.Context, paths []string) map[string]string {
	packages := make(map[string]string)                                        // by path
	owned, _ := output(ctx, "dpkg-query", append([]string{"-S"}, paths...)...) // fails if one of them is nobody's
	for line := range strings.Lines(owned) {
		if owners, path, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			owner, _, _ := strings.Cut(owners, ",")
			packages[path], _, _ = strings.Cut(owner, ":") // which may name an architecture
		}
	}
	if len(packages) == 0 {
		return nil
	}
	versions := make(map[string]string) // by package
	args := append([]string{"-W", "-f", "${Package} ${source:Upstream-Version}\n"}, slices.Compact(slices.Sorted(maps.Values(packages)))...)
	listed, _ := output(ctx, "dpkg-query", args...)
	for line := range strings.Lines(listed) {
		if name, version, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			versions[name] = version
		}
	}
	found := make(map[string]string)
	for path, name := range packages {
		found[path] = versions[name]
	}
	return found
}

func askRPM(ctx context.Context, paths []string) map[string]string {
	found := make(map[string]string)
	for _, path := range paths {
		if version, err := output(ctx, "rpm", "-qf", "--qf", "%{VERSION}", path); err == nil {
			found[path] = version
		}
	}
	return found
}

// askPacman reads what "pacman -Qo" says: "/usr/bin/frob is owned by frob 1.2-3".
func askPacman(ctx context.Context, paths []string) map[string]string {
	found := make(map[string]string)
	for _, path := range paths {
		if owned, err := output(ctx, "pacman", "-Qo", path); err == nil {
			found[path], _, _ = strings.Cut(owned[strings.LastIndex(owned, " ")+1:], "-")
		}
	}
	return found
}

func output(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(cmd.Environ(), "LC_ALL=C")
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}

// upstream returns what of a packaged version is the program's own: what stands
// before a distribution's suffix.
func upstream(version string) string {
	if i := strings.IndexAny(version, "+~"); i > 0 {
		version = version[:i]
	}
	return version
}
