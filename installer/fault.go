package installer

import (
	"errors"
	"fmt"
)

// fault is an error that speaks against the recipe, or against what it installs. Every
// other error says only that something else went wrong.
type fault struct {
	err    error
	detail string // what else is worth knowing
}

func faultf(format string, args ...any) error { return &fault{err: fmt.Errorf(format, args...)} }

func (f *fault) Error() string { return f.err.Error() }
func (f *fault) Unwrap() error { return f.err }

// asFault makes a fault of what reading an archive fails with.
func asFault(err error) error {
	var known *fault
	if errors.As(err, &known) {
		return err
	}
	return faultf("extraction failed: %w", err)
}
