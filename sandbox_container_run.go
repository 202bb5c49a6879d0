package mend

import (
	"context"
	"crypto/rand"
	_ "embed" // the supervisor
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// containerSupervisor is what a shell in the container does for one run. It says what
// its arguments are, and what it reports.
//
//go:embed sandbox_container_run.sh
var containerSupervisor string

// containerRun is one program start in a box.
type containerRun struct {
	box      *box
	argv     []string
	client   *exec.Cmd
	out, err *markedStream

	started  chan struct{} // closed when the program is about to start
	reported chan string   // how it ended, once on each stream; buffered
	exited   chan struct{} // closed when the client was waited for
	failed   error         // what that returned
	began    time.Time     // set before started is closed
}

// run runs a program in the box, and reports whether the box is as fresh as before.
// If it is not, it has to be removed, whatever else is returned.
func (b *box) run(ctx context.Context, argv, env []string, limit time.Duration, keep int) (obs Observation, fresh bool, err error) {
	if no := refuseArguments(argv); no != nil {
		return Observation{}, true, no
	}
	text := "exec env -i --" + quoteText(env...) + quoteText(argv...) + " </dev/null >&4 2>&5 4>&- 5>&-"
	if len(text) > maxArgument {
		return longArgument.observe(argv), true, nil
	}
	r := newContainerRun(b, argv, keep)
	args := []string{"exec", "--interactive", "--workdir=/", b.name, "env", "-i", "PATH=" + b.supervisorPath(),
		"/bin/sh", "-c", limits + "\n" + containerSupervisor, "sh", quoteText(argv[0]), quoteText(searchPath(env)), text}
	// The client is ended by ending the container: see stop.
	r.client = b.engine.client(context.WithoutCancel(ctx), append(args, b.keep...)...)
	if err := r.start(); err != nil {
		return Observation{}, true, err
	}
	obs, fresh, err = r.observe(ctx, limit)
	if !fresh {
		err = errors.Join(err, r.stop(ctx))
	}
	if err != nil {
		return Observation{}, fresh, err
	}
	var cutOut, cutErr bool
	obs.Stdout, cutOut = r.out.program.text()
	obs.Stderr, cutErr = r.err.program.text()
	obs.Truncated = cutOut || cutErr
	return obs, fresh, nil
}

// quoteText returns words for a shell like [quote], as valid UTF-8: a client hands on
// everything else as a replacement character.
func quoteText(words ...string) string {
	quoted := quote(words)
	if utf8.ValidString(quoted) {
		return quoted
	}
	var b strings.Builder
	for len(quoted) > 0 {
		r, size := utf8.DecodeRuneInString(quoted)
		if r == utf8.RuneError && size == 1 { // inside of single quotes, as all that is not ours
			fmt.Fprintf(&b, `'"$(printf '\%03o')"'`, quoted[0])
		} else {
			b.WriteString(quoted[:size])
		}
		quoted = quoted[size:]
	}
	return b.String()
}

// refuseArguments returns why a command line cannot be handed on.
func refuseArguments(argv []string) error {
	if slices.ContainsFunc(argv, func(arg string) bool { return strings.ContainsRune(arg, 0) }) {
		return errors.New("an argument holds a NUL byte")
	}
	if strings.ContainsRune(argv[0], '=') {
		return errors.New("a program's name must not hold an equals sign here")
	}
	return nil
}

func newContainerRun(b *box, argv []string, keep int) *containerRun {
	r := &containerRun{
		box: b, argv: argv,
		started:  make(chan struct{}),
		reported: make(chan string, 2),
		exited:   make(chan struct{}),
	}
	mark := rand.Text()
	lines := func(onStart func()) func(string) {
		n := 0
		return func(line string) {
			switch n++; n {
			case 1:
				onStart()
			case 2:
				r.reported <- line
			}
		}
	}
	r.out = newMarkedStream(mark, keep, lines(func() {}))
	r.err = newMarkedStream(mark, keep, lines(func() { r.began = time.Now(); close(r.started) }))
	return r
}

// start starts the client, and gives the supervisor the mark.
func (r *containerRun) start() error {
	r.client.Stdin = strings.NewReader(string(r.out.mark) + "\n")
	r.client.Stdout, r.client.Stderr = r.out, r.err
	if err := r.client.Start(); err != nil {
		return err
	}
	go func() {
		r.failed = r.client.Wait()
		r.out.finish()
		r.err.finish()
		close(r.exited)
	}()
	return nil
}

// observe waits until the program has ended, or its time, or ctx.
func (r *containerRun) observe(ctx context.Context, limit time.Duration) (obs Observation, fresh bool, err error) {
	obs.Argv = r.argv
	setup := time.NewTimer(setupLimit)
	defer setup.Stop()
	select {
	case <-r.started:
	case <-r.exited:
		if r.began.IsZero() {
			return r.lost(ctx, obs)
		}
	case <-setup.C:
		return obs, false, fmt.Errorf("%w within %v", errSupervisor, setupLimit)
	case <-ctx.Done():
		return obs, false, contextError(ctx)
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	var reports []string
	for len(reports) < 2 {
		select {
		case report := <-r.reported:
			reports = append(reports, report)
			continue
		case <-r.exited:
			if len(r.reported)+len(reports) == 2 {
				continue
			}
			return r.lost(ctx, obs)
		case <-timer.C:
			obs.ExitCode, obs.TimedOut, obs.Duration = -1, true, time.Since(r.began)
			return obs, false, nil
		case <-ctx.Done():
			return obs, false, contextError(ctx)
		}
	}
	obs.Duration = time.Since(r.began)
	if err := obs.endAs(reports); err != nil {
		return obs, false, err
	}
	return obs, r.isFresh(ctx), nil
}

// endAs decodes what the supervisor reported, on both streams alike.
func (o *Observation) endAs(reports []string) error {
	how, what, _ := strings.Cut(reports[0], " ")
	code, err := strconv.Atoi(what)
	switch {
	case reports[0] != reports[1]:
	case how == "signal" && what != "":
		o.ExitCode, o.Signal = -1, "SIG"+strings.TrimPrefix(what, "SIG")
		return nil
	case how == "exit" && err == nil && code >= 0 && code <= 255:
		o.ExitCode = code
		return nil
	}
	return fmt.Errorf("%w: %.100q and %.100q", errSupervisor, reports[0], reports[1])
}

// isFresh waits until the supervisor has removed what the program left, and reports
// whether it has. If that takes long, another container is there sooner.
func (r *containerRun) isFresh(ctx context.Context) bool {
	cleaning := time.NewTimer(endGrace)
	defer cleaning.Stop()
	select {
	case <-r.exited:
		return r.failed == nil
	case <-cleaning.C:
	case <-ctx.Done():
	}
	return false
}

// lost says what a client's end without a report shows. The client's own exit codes,
// 125 to 127 among them, are the engine's. But if a signal ended the supervisor, and
// the container is still there, then the program did that, or the kernel for want of
// memory, and it is the run that was killed.
func (r *containerRun) lost(ctx context.Context, obs Observation) (Observation, bool, error) {
	var exit *exec.ExitError
	if errors.As(r.failed, &exit) && exit.ExitCode() > 128 && !r.began.IsZero() && r.box.isRunning(ctx) {
		obs.ExitCode, obs.Signal, obs.Duration = -1, signalName(exit.ExitCode()-128), time.Since(r.began)
		return obs, false, nil
	}
	if ctx.Err() != nil {
		return obs, false, contextError(ctx)
	}
	complaint, _ := r.err.engine.text()
	err := errSupervisor
	if r.began.IsZero() {
		err = errNotStarted
	}
	if r.failed != nil {
		err = fmt.Errorf("%w: %w", err, r.failed)
	}
	return obs, false, r.box.engine.failed("exec", err, complaint)
}

// errNotStarted reports that a container's supervisor did not come to start a program.
var errNotStarted = errors.New("the program was not started")

func (b *box) isRunning(ctx context.Context) bool {
	out, err := b.engine.call(ctx, "container", "inspect", "--format", "{{.State.Running}}", b.name)
	return err == nil && strings.TrimSpace(out) == "true"
}

// stop removes the box, and waits for the client, which ends with it, and with a
// complaint.
func (r *containerRun) stop(ctx context.Context) error {
	r.out.over.Store(true)
	r.err.over.Store(true)
	err := r.box.remove(ctx)
	select {
	case <-r.exited:
	case <-time.After(endGrace):
		_ = r.client.Cancel() // it may have ended
		<-r.exited
	}
	return err
}
