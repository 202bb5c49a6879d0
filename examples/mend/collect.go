package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// collect returns the recipes that the arguments of a batch name, sorted, each once. A
// directory stands for the files below it whose names end in .toml, without hidden
// ones, and a pattern for what it matches. It is an error if an argument stands for
// nothing: a batch that misses its recipes looks much like one that passes.
func collect(args []string) ([]string, error) {
	var paths []string
	for _, arg := range args {
		found, err := expand(arg)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, usagef("%s: there is no recipe", oneLine(arg))
		}
		paths = append(paths, found...)
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// expand returns what one argument stands for.
func expand(arg string) ([]string, error) {
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		return below(arg)
	case err == nil:
		return []string{filepath.Clean(arg)}, nil
	}
	matches, bad := filepath.Glob(arg)
	if bad != nil {
		return nil, usagef("%s: %w", oneLine(arg), bad)
	}
	var paths []string
	for _, m := range matches {
		if info, err := os.Stat(m); err == nil && info.IsDir() {
			found, err := below(m)
			if err != nil {
				return nil, err
			}
			paths = append(paths, found...)
			continue
		}
		paths = append(paths, filepath.Clean(m))
	}
	return paths, nil
}

// below returns the recipes in a directory and its subdirectories.
func below(dir string) ([]string, error) {
	var paths []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(entry.Name(), ".") && path != dir
		switch {
		case hidden && entry.IsDir():
			return filepath.SkipDir
		case !hidden && !entry.IsDir() && strings.HasSuffix(entry.Name(), ".toml"):
			paths = append(paths, filepath.Clean(path))
		}
		return nil
	})
	return paths, err
}
