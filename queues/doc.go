// Package queues keeps jobs on NATS JetStream: publishing, deliveries, leases, parts,
// order and records. NATS is imported only here and in the packages below. Only this
// package writes records and events, and the dead letter of a job that fails.
//
// Streams and buckets:
//
//	declare.go    declares and checks them (usher migrate, dev, demo, doctor)
//	names.go      headers of messages, keys of buckets; subjects are in store
//	queue.go      Queue: options, Open
//
// Publishing:
//
//	submit.go     validate, seal, publish; serves usher.submit.<kind>
//	publish.go    jobs that usher itself publishes
//	message.go    parses a message: kind, id, run, order, job
//	cloudevent.go jobs inside CloudEvents
//	redact.go     what is kept of an invalid message
//	reject.go     rejects an invalid message
//	trace.go      a publisher's traceparent
//
// Running a job:
//
//	lane.go       the deliveries of a lane, one for each free slot
//	delivery.go   one message: heartbeat, ack, retry, term
//	claim.go      compares a message with the record of its job
//	take.go       takes a job by compare-and-set on its record
//	begin.go      the record of a new run
//	lease.go      Lease: a taken job or part; leases.go: those of this process
//	settle.go     Retry and End
//	letter.go     the dead letter of a failed job
//	rerun.go      publishes further runs of a job
//	ending.go     cancelled jobs, and jobs that end because a part has failed
//	order.go      the order of jobs on one target
//	creative.go   the newest job of each creative
//
// Parts of a cut job:
//
//	split.go      stores the plan and publishes the parts, by atomic.go as one batch
//	parts.go      takes a part
//	partend.go    ends a part; the last one settles the job
//	sum.go        adds up the parts for the job's record
//
// Reading:
//
//	entry.go      a record with its internal state
//	records.go    records of jobs; history.go: events and parts of a job
//	events.go     publishes events; audit.go: writes and reads the audit
//	changes.go    announces changes to watchers
//	waits.go      why jobs wait; holder.go: whether a worker still has its job
//
// Operating:
//
//	lanes.go      what is in each lane; pauses.go pauses lanes
//	limits.go     rate limits set at run time
//	rollcall.go   which workers run
//	metrics.go    metrics of this process and of NATS
//
// The life of a message: it is published to USHER_JOBS; taken, so that the record says
// running and names the lease; run at once, or cut into parts on USHER_PARTS and
// acknowledged; ended, with a dead letter if it failed, the record and the event; and
// acknowledged. Every step can be repeated: a redelivery repairs a crash between two
// steps.
//
// Attempts and crashes are counted in the record, because NATS's own counter also
// counts shutdowns and restarts. A crash is a delivery that finds a running record
// whose lease was not released.
package queues
