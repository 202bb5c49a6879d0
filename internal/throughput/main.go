// Throughput measures a batch of real tools on this machine: programs of PATH, each
// with the check "tool --version", go through the whole loop in the local sandbox, with
// one worker, with two and with four. It prints the table of docs/performance.md.
//
//	go run ./internal/throughput [-n 100] [-workers 1,2,4] [-container "podman run --rm IMAGE true"]
//
// With -container, the command that it names is run as often at a time as there are
// workers, for what a system costs that starts a container for each attempt.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/internal/hosttools"
)

func main() {
	n := flag.Int("n", 100, "how many programs of PATH")
	workers := flag.String("workers", "1,2,4", "numbers of workers, separated by commas")
	container := flag.String("container", "", "command line that runs one attempt in a container of its own")
	flag.Parse()
	err := run(context.Background(), *n, *workers, strings.Fields(*container))
	if err != nil {
		fmt.Fprintln(os.Stderr, "throughput:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, n int, workers string, container []string) error {
	if plan := os.Getenv(planVariable); plan != "" {
		return child(ctx, plan)
	}
	isolation, err := newSandbox().Isolation()
	if err != nil {
		return err
	}
	names := hosttools.Programs()
	if isolation == mend.IsolationPlain {
		names = hosttools.Harmless
	}
	names = names[:min(n, len(names))]
	p := plan{Names: names, Versions: hosttools.PackagedVersions(ctx, names)}
	fmt.Printf("%d programs, %s, %d cores, load before: %s\n\n", len(names), isolation, runtime.NumCPU(), load())
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "| workers\t| recipes/s\t| ms/recipe\t| CPU ms/recipe\t| runs/recipe\t| peak memory\t| with a container per run\t|")
	fmt.Fprintln(w, "|---\t|---\t|---\t|---\t|---\t|---\t|---\t|")
	var last *measured
	for field := range strings.SplitSeq(workers, ",") {
		if p.Workers, err = strconv.Atoi(strings.TrimSpace(field)); err != nil || p.Workers < 1 {
			return fmt.Errorf("-workers: %q is no number of workers", field)
		}
		if last, err = measure(ctx, p); err != nil {
			return err
		}
		each, err := containers(ctx, container, p.Workers)
		if err != nil {
			return err
		}
		last.row(w, p, each)
	}
	w.Flush()
	fmt.Printf("\n%d mended, %d left alone, %d refused; %d of %d runs took longer than %s. Load after: %s\n",
		last.Mended, last.Passed, last.Refused, last.TimedOut, last.Runs, timeout, load())
	return nil
}

// load returns the system's load averages.
func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "not known"
	}
	return strings.Join(strings.Fields(string(data))[:3], " ")
}

// measure measures in a process of its own, whose memory is that of the batch.
func measure(ctx context.Context, p plan) (*measured, error) {
	data, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), planVariable+"="+string(data))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	m := new(measured)
	if err := json.Unmarshal(out, m); err != nil {
		return nil, err
	}
	m.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return m, nil
}

// row prints what was measured, beside what the runs would take if each took a
// container.
func (m *measured) row(w *tabwriter.Writer, p plan, each time.Duration) {
	n := float64(len(p.Names))
	replaced := "not measured: give -container"
	if each > 0 {
		seconds := each.Seconds() * float64(m.Runs)
		replaced = fmt.Sprintf("%.2f recipes/s (%d ms a run)", n/seconds, each.Milliseconds())
	}
	fmt.Fprintf(w, "| %d\t| %.1f\t| %.0f\t| %.0f\t| %.2f\t| %s\t| %s\t|\n", p.Workers,
		n/m.Wall.Seconds(), m.Wall.Seconds()*1000/n, m.cpu.Seconds()*1000/n, float64(m.Runs)/n, m.Peak, replaced)
}

// containers returns how much of the time one run in a container takes when so many go
// at a time; 0 if there is no command for it.
func containers(ctx context.Context, command []string, workers int) (time.Duration, error) {
	const rounds = 10
	if len(command) == 0 {
		return 0, nil
	}
	ended := make(chan error)
	start := time.Now()
	for range workers {
		go func() {
			var err error
			for range rounds {
				if out, failed := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput(); failed != nil {
					err = fmt.Errorf("%s: %w: %s", strings.Join(command, " "), failed, out)
				}
			}
			ended <- err
		}()
	}
	var errs []error
	for range workers {
		errs = append(errs, <-ended)
	}
	return time.Since(start) / time.Duration(rounds*workers), errors.Join(errs...)
}
