package installer

import (
	"path/filepath"
	"runtime"
	"slices"

	"github.com/mendkit/mend"
)

// Platform is what steps are chosen for.
type Platform struct {
	OS   string // in Go's words; "" is this machine's
	Arch string // in Go's words; "" is this machine's
	Libc string // "glibc" or "musl", for Linux; "" is this machine's
}

func (p Platform) withDefaults() Platform {
	if p.OS == "" {
		p.OS = runtime.GOOS
	}
	if p.Arch == "" {
		p.Arch = runtime.GOARCH
	}
	if p.Libc == "" && p.OS == "linux" {
		p.Libc = "glibc"
		if musl, _ := filepath.Glob("/lib/ld-musl-*"); len(musl) > 0 { // the pattern is well-formed
			p.Libc = "musl"
		}
	}
	return p
}

// String returns the platform as linux/amd64.
func (p Platform) String() string { return p.OS + "/" + p.Arch }

// takes reports whether a step is for the platform. One without a condition is for
// all. Conditions of other kinds do not count.
func (p Platform) takes(s mend.Step) bool {
	when, _ := s.Params["when"].(map[string]any)
	for key, have := range map[string]string{"os": p.OS, "arch": p.Arch, "libc": p.Libc} {
		wanted := texts(when[key])
		if key == "libc" && p.OS != "linux" {
			continue
		}
		if len(wanted) > 0 && !slices.Contains(wanted, have) {
			return false
		}
	}
	return true
}

// texts returns a parameter that is a string or a list of strings as a list.
func texts(param any) []string {
	switch p := param.(type) {
	case string:
		return []string{p}
	case []string:
		return p
	case []any:
		var all []string
		for _, one := range p {
			if s, ok := one.(string); ok {
				all = append(all, s)
			}
		}
		return all
	}
	return nil
}
