package mend

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// setupLimit is how long a sandbox may take until the program starts. It takes
	// milliseconds, and longer only where the machine is overloaded.
	setupLimit = 30 * time.Second
	// endGrace is how long a sandbox may take to vanish once it was told to.
	endGrace = 2 * time.Second
)

// ending says how a program ended.
type ending struct {
	code   int // -1 if a signal ended it
	signal string
	at     time.Time
	known  bool // false if the sandbox came down without telling
}

// running is a launch under way.
type running struct {
	*launch
	proc     *os.Process
	out, err *stream
	began    time.Time     // when the program started; set before started is closed
	started  chan struct{} // closed when the program is about to start
	ended    chan ending   // how it ended; buffered
	exited   chan struct{} // closed when the started process was waited for
	inner    chan int      // pid of the sandbox's first process, from bubblewrap; buffered
	first    int           // that pid once it is known; killing it ends everything
	release  *os.File      // the supervisor's standard input; nil without one
}

// run starts a program and returns what it showed until it ended or had run for
// limit. At most keep bytes of each stream are kept. When it returns, every
// process of the launch is dead, and its files are gone.
func (l *launch) run(ctx context.Context, lock sync.Locker, limit time.Duration, keep int) (Observation, error) {
	if l.cleanup != nil {
		defer l.cleanup()
	}
	if ctx.Err() != nil {
		return Observation{}, contextError(ctx)
	}
	p, err := l.start(lock, keep)
	if err != nil {
		if no := startRefusal(err); no != nil && !l.supervised {
			return no.observe(l.argv), nil
		}
		return Observation{}, err
	}
	obs, err := p.observe(ctx, limit)
	p.out.finish()
	p.err.finish()
	if err != nil {
		return Observation{}, p.explain(err)
	}
	var cutOut, cutErr bool
	obs.Stdout, cutOut = p.out.text()
	obs.Stderr, cutErr = p.err.text()
	obs.Truncated = cutOut || cutErr
	return obs, nil
}

// contextError returns why ctx ended: its error, and its cause if that says more.
func contextError(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if cause == nil || cause == err {
		return err
	}
	return fmt.Errorf("%w: %w", err, cause)
}

// errSupervisor reports that a sandbox came down by itself.
var errSupervisor = errors.New("the sandbox ended without a report")

// explain adds to a failure of the sandbox what the sandbox complained of.
func (p *running) explain(err error) error {
	if !errors.Is(err, errSupervisor) {
		return err
	}
	text, _ := p.err.text()
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	if text == "" {
		return err
	}
	return fmt.Errorf("%w: %.200q", err, text)
}

// start starts the process. The lock is held until the new process no longer
// shares our open files.
func (l *launch) start(lock sync.Locker, keep int) (*running, error) {
	w, err := newWiring(l)
	if err != nil {
		return nil, err
	}
	p := &running{
		launch:  l,
		started: make(chan struct{}),
		ended:   make(chan ending, 1),
		exited:  make(chan struct{}),
		inner:   make(chan int, 1),
	}
	born := make(chan error)
	onThread(l.confine, func(err error) {
		if err == nil {
			lock.Lock()
			p.began = time.Now()
			p.proc, err = os.StartProcess(l.path, l.argv, &os.ProcAttr{Dir: l.dir, Env: l.env, Files: w.child, Sys: l.attr})
			lock.Unlock()
		}
		born <- err
		if err == nil {
			p.wait()
		}
	})
	err = <-born
	w.closeChild()
	if err != nil {
		w.closeParent()
		return nil, err
	}
	p.out, p.err = newStream(w.out, keep), newStream(w.err, keep)
	p.begin(w)
	return p, nil
}

// onThread calls f on an operating-system thread that runs nothing else until f
// returns, passing it confine's error. A parent-death signal follows the thread
// that started a process, and a confined thread must never serve anyone else.
func onThread(confine func() error, f func(error)) {
	go func() {
		runtime.LockOSThread()
		if confine == nil {
			defer runtime.UnlockOSThread()
			f(nil)
			return
		}
		err := confine()
		if err != errMainThread {
			f(err)
			return // still locked, so that the thread ends
		}
		defer runtime.UnlockOSThread()
		done := make(chan struct{})
		onThread(confine, func(err error) { defer close(done); f(err) })
		<-done
	}()
}

// errMainThread is what a launch's confine returns on the program's main thread,
// which never ends. It has changed nothing then.
var errMainThread = errors.New("the main thread is not to be confined")

// wait waits for the process that was started.
func (p *running) wait() {
	state, err := p.proc.Wait()
	if !p.supervised {
		e := ending{known: err == nil, at: time.Now()}
		if e.known {
			e.code, e.signal = stateEnding(state)
		}
		p.ended <- e
	}
	close(p.exited)
}

// begin lets the program start, or waits for bubblewrap's announcement to do so.
func (p *running) begin(w *wiring) {
	var err error
	if p.settle != nil {
		err = p.settle(p.proc.Pid)
	}
	if !p.supervised {
		close(p.started) // the program may even have ended, and need no settling
		return
	}
	go p.follow(w.report)
	p.release = w.release
	if err != nil {
		p.release.Close() // the supervisor gives up
	} else if !p.announced {
		p.letGo(p.proc.Pid)
	}
}

// letGo tells the supervisor to start the program, now that killing the process
// first is known to end it. A supervisor that has gone has left no report.
func (p *running) letGo(first int) {
	p.first = first
	_, _ = io.WriteString(p.release, "\n")
	p.release.Close()
}

// follow reads bubblewrap's announcement and the supervisor's reports. A program
// can write there, too, if it looks for the file: what it can forge is how it ends,
// which is its own to choose, and no line counts twice or out of turn.
func (p *running) follow(report *os.File) {
	defer report.Close()
	e, awaited := ending{}, reportStart
	if p.announced {
		awaited = announcement
	}
	for lines := bufio.NewScanner(report); !e.known && lines.Scan(); {
		rest, ok := strings.CutPrefix(strings.TrimSpace(lines.Text()), awaited)
		if !ok {
			continue
		}
		switch awaited {
		case announcement:
			first, _ := strconv.Atoi(strings.TrimSuffix(rest, ","))
			p.inner <- first
			awaited = reportStart
		case reportStart:
			p.began = time.Now()
			close(p.started)
			awaited = reportEnd
		case reportEnd:
			e = statusEnding(rest)
		}
	}
	p.ended <- e
}

// What a supervisor prints before the program starts, and, with its status, when
// it has ended: 0 to 255 for an exit code, more than 256 for a signal's number.
// bubblewrap announces with its --info-fd.
const (
	announcement = `"child-pid": `
	reportStart  = "start"
	reportEnd    = "end "
)

// reportsBusy reports whether obs is of a supervisor whose env could not become the
// program, as its file is open for writing. What comes before in a [view] cannot
// see that.
func reportsBusy(obs Observation) bool {
	speaker, said, _ := strings.Cut(obs.Stderr, ": ")
	return obs.ExitCode == 126 && obs.Stdout == "" &&
		(speaker == "env" || strings.HasSuffix(speaker, "/env")) && strings.HasSuffix(said, ": Text file busy\n")
}

// busyGrace is how long to wait at most before a program is started once more whose
// file is open for writing. All waits together are twice as long.
const busyGrace = time.Second

// startPatiently starts again what the kernel would not start because its file is
// open for writing. What else is done against that makes it rare, and cannot exclude
// it: a process that has just been started closes its copies of our files a moment
// after its birth is reported. It is an error, and says nothing about the program, if
// it stays so.
func startPatiently(ctx context.Context, start func() (Observation, error)) (Observation, error) {
	for wait := time.Millisecond; ; wait *= 2 {
		obs, err := start()
		if err == nil && reportsBusy(obs) {
			obs, err = Observation{}, fmt.Errorf("the file is open for writing: %s", strings.TrimSpace(obs.Stderr))
		} else if !isBusy(err) {
			return obs, err
		}
		if wait > busyGrace {
			return obs, err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return Observation{}, contextError(ctx)
		}
	}
}

// statusEnding decodes a supervisor's report.
func statusEnding(status string) ending {
	n, err := strconv.Atoi(status)
	switch {
	case err != nil || n < 0:
		return ending{}
	case n > 512: // 512 more if there is a core dump, says one awk
		return ending{code: -1, signal: signalName(n - 512), at: time.Now(), known: true}
	case n > 256:
		return ending{code: -1, signal: signalName(n - 256), at: time.Now(), known: true}
	}
	return ending{code: n, at: time.Now(), known: true}
}

// observe waits until the program has ended, or its time, or ctx, and ends
// whatever of it is left then.
func (p *running) observe(ctx context.Context, limit time.Duration) (Observation, error) {
	var obs Observation
	err := p.awaitStart(ctx)
	if err != nil {
		return obs, errors.Join(err, p.end(true))
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case e := <-p.ended:
		obs.ExitCode, obs.Signal, obs.Duration = e.code, e.signal, e.at.Sub(p.began)
		if !e.known {
			err = errSupervisor
		}
	case <-timer.C:
		obs.ExitCode, obs.TimedOut, obs.Duration = -1, true, time.Since(p.began)
	case <-ctx.Done():
		err = contextError(ctx)
	}
	return obs, errors.Join(err, p.end(err != nil || obs.TimedOut))
}

// awaitStart returns when the program starts, or why it does not.
func (p *running) awaitStart(ctx context.Context) error {
	setup := time.NewTimer(setupLimit)
	defer setup.Stop()
	for {
		select {
		case first := <-p.inner:
			if first <= 1 {
				return errSupervisor
			}
			p.letGo(first)
		case <-p.started:
			return nil
		case e := <-p.ended:
			p.ended <- e
			select {
			case <-p.started: // and it ended at once
				return nil
			default:
				return errSupervisor
			}
		case <-setup.C:
			return fmt.Errorf("%w within %v", errSupervisor, setupLimit)
		case <-ctx.Done():
			return contextError(ctx)
		}
	}
}

// errEndless reports processes that even SIGKILL does not end.
var errEndless = errors.New("the sandbox's processes cannot be killed")

// end returns when everything that the launch started is dead. It kills what runs
// if kill is set, and otherwise what does not end by itself.
func (p *running) end(kill bool) error {
	for range 5 {
		if kill {
			p.kill()
		}
		select {
		case <-p.exited:
			if p.sweep != nil {
				p.sweep(p.proc.Pid)
			}
			return nil
		case <-time.After(endGrace):
			kill = true
		}
	}
	return errEndless
}

// kill kills the program, or, in a sandbox, the first process, so that the one
// outside that waits for it knows when all is over. Bubblewrap has to announce
// which that is; killed before, it would leave it behind, waiting forever.
func (p *running) kill() {
	if !p.supervised {
		killGroup(p.proc.Pid)
	} else if p.first == 0 {
		p.release.Close()
		select {
		case p.first = <-p.inner:
		case <-p.exited:
			return
		case <-time.After(setupLimit):
		}
	}
	if p.first > 1 && p.first != p.proc.Pid {
		first, err := os.FindProcess(p.first)
		p.first = -1 // once, for then the number may be another's
		if err == nil && first.Kill() == nil {
			return
		}
	}
	_ = p.proc.Kill()
}
