package fleet_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/fleet"
	"github.com/mendkit/mend/mendtest"
)

func exampleWorker() fleet.Worker {
	builder := mend.BuildFunc("naive", func(context.Context, mend.BuildRequest) (*mend.Recipe, error) {
		return mend.ParseRecipe([]byte("[verify]\ncommand = \"frob --version\"\npattern = \"{version}\"\n"))
	})
	return fleet.NewWorker(mend.New(mendtest.NewReplay(frob()), nil), builder, nil)
}

func Example() {
	ctx := context.Background()
	f, err := fleet.Open(ctx, "nightly", nil) // or &fleet.Options{URL: "nats://queue.example:4222"}, on every machine
	if err != nil {
		panic(err)
	}
	defer f.Close()
	for r, err := range f.CreateAll(ctx, exampleWorker(), requests(0, 1), 4) {
		if err != nil {
			fmt.Println(err) // a *fleet.DeadLetter: nothing was learned about this one
			continue
		}
		fmt.Printf("%s\n%s, proves: %s\n", r.Recipe, r.Repair.Method, r.Strength)
	}
	// Output:
	// [verify]
	// command = "frob -V"
	// pattern = "frob {version}"
	//
	// documented_version, proves: version
}

// Other machines only work.
func ExampleFleet_Run() {
	ctx, cancel := context.WithCancel(context.Background())
	f, err := fleet.Open(ctx, "nightly", nil) // with the cluster's URL
	if err != nil {
		panic(err)
	}
	defer f.Close()
	cancel() // at a signal, say: what is begun is given back
	fmt.Println(f.Run(ctx, exampleWorker(), 4))
	// Output: <nil>
}

// rows is a queue of another kind, as a table of a database would be: it hands out a job,
// and keeps what came of it.
type rows struct {
	waiting []fleet.Job
	results map[string]*fleet.Result
}

// work is what such a queue's own worker does: with River, the method Work of a
// river.Worker, where job comes from the job's arguments, an error is returned as it is,
// and river.JobCancel takes one that is final.
func (q *rows) work(ctx context.Context, w fleet.Worker, job fleet.Job) error {
	if q.results[job.Key] != nil {
		return nil // a second delivery changes nothing
	}
	result, err := w.Work(ctx, job)
	if err != nil {
		return err
	}
	q.results[job.Key] = result // insert … on conflict do nothing
	return nil
}

// Who runs a queue already needs nothing of NATS.
func ExampleWorker() {
	q := &rows{results: make(map[string]*fleet.Result)}
	for req := range requests(0, 2) {
		q.waiting = append(q.waiting, fleet.NewJob(req, ""))
	}
	q.waiting = append(q.waiting, q.waiting[0]) // delivered twice
	for _, job := range q.waiting {
		switch err := q.work(context.Background(), exampleWorker(), job); {
		case errors.Is(err, fleet.ErrFinal):
			fmt.Println("not again:", err)
		case err != nil:
			fmt.Println("later:", err)
		default:
			fmt.Println(q.results[job.Key].Job.Package, q.results[job.Key].Strength)
		}
	}
	fmt.Println(len(q.results), "results")
	// Output:
	// frob-0 version
	// frob-1 version
	// frob-0 version
	// 2 results
}
