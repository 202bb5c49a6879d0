package mend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// engine is the command-line client of a container engine.
type engine struct {
	argv    []string // the client and its global arguments
	version string   // what it calls itself, as "podman version 4.3.1"
	podman  bool     // Docker otherwise

	// dir is where the client runs; "" is the current directory. Podman leaves a file
	// there when a program has used up its memory.
	dir string
}

const (
	// engineLimit is how long one call of the client may take. Most take a fraction of
	// a second; a store that is locked, or a disk that is busy, can make it many.
	engineLimit = 2 * time.Minute

	// engineOutput is how many bytes of what a client prints are read.
	engineOutput = 4 << 20
)

// errEngineSlow is why a call of the client was given up.
var errEngineSlow = fmt.Errorf("it did not end within %v", engineLimit)

// newEngine returns the engine of a client, or why that is none.
func newEngine(ctx context.Context, argv []string) (*engine, error) {
	path, err := exec.LookPath(argv[0])
	if err == nil {
		path, err = filepath.Abs(path) // which means the same wherever the client runs
	}
	if err != nil {
		return nil, err
	}
	e := &engine{argv: append([]string{path}, argv[1:]...)}
	out, err := e.call(ctx, "--version")
	if err != nil {
		return nil, err
	}
	e.version, _, _ = strings.Cut(strings.TrimSpace(out), "\n")
	switch name := strings.ToLower(e.version); {
	case strings.HasPrefix(name, "podman"):
		e.podman = true
	case !strings.HasPrefix(name, "docker"):
		return nil, fmt.Errorf("%s calls itself %.80q, which is neither Podman nor Docker", argv[0], e.version)
	}
	return e, nil
}

// client returns the client's process, not started yet.
func (e *engine) client(ctx context.Context, args ...string) *exec.Cmd {
	line := slices.Concat(e.argv, args)
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Dir = e.dir
	cmd.SysProcAttr = ownGroup() // so that an interrupt from a terminal is for us to act on
	cmd.Cancel = func() error {
		killGroup(cmd.Process.Pid)
		return cmd.Process.Kill() // where there are no groups
	}
	cmd.WaitDelay = endGrace
	return cmd
}

// call runs the client and returns what it printed. All errors are the engine's: ctx's
// own is returned as it is.
func (e *engine) call(ctx context.Context, args ...string) (string, error) {
	if ctx.Err() != nil {
		return "", contextError(ctx)
	}
	bounded, cancel := context.WithTimeoutCause(ctx, engineLimit, errEngineSlow)
	defer cancel()
	cmd := e.client(bounded, args...)
	out, errs := &capture{limit: engineOutput}, &capture{limit: engineOutput}
	cmd.Stdout, cmd.Stderr = out, errs
	err := cmd.Run()
	text, cut := out.text()
	switch {
	case ctx.Err() != nil:
		return "", contextError(ctx)
	case bounded.Err() != nil:
		err = errEngineSlow
	case err == nil && cut:
		err = fmt.Errorf("it printed more than %d bytes", engineOutput)
	}
	if err != nil {
		complaint, _ := errs.text()
		return text, e.failed(args[0], err, complaint)
	}
	return text, nil
}

// failed says what went wrong with a call, in the client's own words.
func (e *engine) failed(call string, err error, complaint string) error {
	name := filepath.Base(e.argv[0]) + " " + call
	if line := complaintOf(complaint); line != "" {
		return fmt.Errorf("%s: %w: %.400q", name, err, line)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// complaintOf returns the line of a client's output that says what is wrong: the one
// that says so, or else the last one.
func complaintOf(text string) (line string) {
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); l == "" {
			continue
		}
		if line = l; strings.Contains(l, "Error") || strings.Contains(l, "rror:") {
			break
		}
	}
	return line
}

// image is what of an image decides how its containers are started.
type image struct {
	id      string
	env     []string // the variables that it sets, without PATH
	path    string   // the PATH that it sets, or the usual one
	volumes []string // directories that it wants to be written to, sorted
}

// inspect returns the image of that name. It is an error if there is none here:
// nothing is pulled.
func (e *engine) inspect(ctx context.Context, name string) (*image, error) {
	out, err := e.call(ctx, "image", "inspect", "--format", "{{.Id}} {{json .Config}}", name)
	if err != nil {
		return nil, err
	}
	id, config, ok := strings.Cut(strings.TrimSpace(out), " ")
	var c struct {
		Env     []string
		Volumes map[string]any
	}
	if err := json.Unmarshal([]byte(config), &c); err != nil || !ok || id == "" {
		return nil, errors.Join(fmt.Errorf("the image %q cannot be read from %.80q", name, out), err)
	}
	img := &image{id: id, env: c.Env, path: strings.Join(systemPath, ":")}
	if i := indexVariable(img.env, "PATH"); i >= 0 {
		img.path = searchPath(img.env)
		img.env = slices.Delete(img.env, i, i+1)
	}
	for volume := range c.Volumes {
		img.volumes = append(img.volumes, volume)
	}
	slices.Sort(img.volumes)
	return img, nil
}

// remove removes containers with all that is in them. One that is not there any more
// is no error.
func (e *engine) remove(ctx context.Context, names ...string) error {
	_, err := e.call(ctx, append([]string{"rm", "--force", "--volumes"}, names...)...)
	if err == nil || ctx.Err() != nil {
		return err
	}
	left, listErr := e.call(ctx, "ps", "--all", "--no-trunc", "--format", "{{.Names}} {{.ID}}")
	if listErr != nil {
		return err
	}
	if slices.ContainsFunc(names, func(name string) bool { return strings.Contains(left, name) }) {
		return err
	}
	return nil
}
