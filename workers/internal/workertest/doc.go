// Package workertest has the helpers that the tests of workers and its subpackages share:
// a worker on the platform's sandbox, with or without a queue.
//
//	bench.go    Bench: a worker on a sandbox, which gets one piece of work at a time
//	lease.go    Lease: a piece of work that records what is done with it
//	heads.go    Heads: the heads of ledgers in memory
//	crash.go    Crash: kills a worker at a step or a state; observes the states of campaigns
//	queue.go    Queue: a Bench whose work comes from NATS
//	example.go  a sandbox and a worker for examples
package workertest
