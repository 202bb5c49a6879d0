// Package fleet runs a batch of recipes on many machines, over NATS JetStream.
//
// Where one machine is enough, use [mend.Orchestrator.CreateAll]. Where it is not,
// every machine opens the same fleet by name. One submits requests, each runs as many
// workers as it likes, and any of them collects the results:
//
//	Submit ─▶ jobs ─▶ Run ─▶ Worker.Work ─ result ─▶ outcomes ─▶ Collect
//	           ▲       │                 └ error ─▶ back to jobs, after a while
//	           └───────┘                          └ too often ─▶ dead letters ─▶ Requeue
//
// Without options the server is part of the process, and there is nothing to start;
// with [Options.URL] the same code works on a cluster.
//
// # Guarantees
//
// A request that [Fleet.Submit] took in has one outcome, a result or a dead letter,
// whatever machine or server is lost meanwhile, as long as the store is not. It may be
// worked on more than once: after a machine was lost, or because a machine seemed to be.
// The first outcome stands, and every later one is dropped, so that the outcomes are as
// if each request had been worked on once. A request that has its outcome is not worked
// on again, however often it is submitted.
//
// A check that fails is a result, as it is an observation to mend. An error means that
// nothing was learned: the job goes back, and after [Options.Deliveries] of them becomes
// a [DeadLetter] that has all of them.
//
// What is written to the streams is sanitised, but for the requests and the recipes
// themselves.
//
// # Without NATS
//
// What is done with a job stands behind one method, [Worker]. A program that has another
// queue, say River in a Postgres that it runs anyway, calls [NewWorker]'s Work from
// there: a nil error is a result to store under [Job.Key] unless there is one, any other
// error is for the queue to try again, and [ErrFinal] says that it need not.
package fleet
