// Package workers runs jobs: it takes a delivery, runs the handler of its kind
// and settles it.
//
//	worker.go         Worker: lanes, slots, and how a stop drains them
//	delivery.go       Lease and Source: what a queue provides
//	job.go            Job: one delivery while its handler runs; Handler
//	settle.go         the table of errors: end, retry or bury
//	precedence.go     uploads pause while a campaign or rule job runs
//	span.go           the trace of a piece of work
//	upload.go         one upload: wait for the turn, plan, then cut or run
//	segment.go        segment.add and segment.remove
//	target.go         target.add, target.clear and target.replace
//	mirror.go         segment.mirror and target.mirror: the phases
//	mirror_memory.go  compares how its export was read with the last good one
//	mirror_parts.go   the parts of these phases
//	mirror_withhold.go
//	                  the ids that its except and holdout keep out
//	forget.go         device.forget: the phases
//	forget_ids.go     the digests of the ids
//	forget_targets.go finds them in a target, removes them, and looks again
//	suppression.go    the suppression list, which is read before each batch
//	delta.go          records in the ledger what uploads and clears change
//
// The handlers of other kinds are in other packages, and cmd/usher registers them in
// Worker.Handlers: workers/campaign sets the status of creatives, budgets and bids,
// workers/evaluation evaluates rules. A handler returns an error or nil; only settle.go
// decides what that means for the job. internal/workertest has the helpers that the tests of
// these packages share.
package workers
