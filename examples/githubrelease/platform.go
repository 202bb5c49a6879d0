package main

import (
	"fmt"
	"runtime"
	"strings"
)

// platform is a system and a processor, in Go's names.
type platform struct{ os, arch string }

// host is the platform that recipes are tried on.
func host() platform { return platform{runtime.GOOS, runtime.GOARCH} }

func (p platform) String() string { return p.os + "/" + p.arch }

func parsePlatform(s string) (platform, error) {
	system, arch, ok := strings.Cut(s, "/")
	foreign := func(c rune) bool { return !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9') }
	if !ok || system == "" || arch == "" || strings.ContainsFunc(system+arch, foreign) {
		return platform{}, fmt.Errorf("%q is no platform such as linux/amd64", s)
	}
	return platform{system, arch}, nil
}

// when is the condition of a step that is for this platform only.
func (p platform) when() map[string]any { return map[string]any{"os": []any{p.os}, "arch": p.arch} }
