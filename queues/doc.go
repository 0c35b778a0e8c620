// Package queues keeps jobs on NATS JetStream: publishing, deliveries, leases, parts,
// order and records. NATS is imported only here and in the packages below. Only this
// package writes records and events, and dead letters of jobs that fail.
//
// Below it are store (buckets and streams), schema (of jobs), message (reads a job as it was
// published), audit (who changed what), lanes and limits (of rates). Above it are letters
// (dead letters) and rulings (what rules decided).
//
// A lane is a queue with its own consumer and its own slots in each worker. To seal a
// job is to replace its raw inline ids by digests before it is stored. A run
// lasts from a publish of the job to its end, over all attempts; a replay of its dead
// letter publishes the next run.
//
// Streams and buckets:
//
//	declare.go    declares and checks them (usher migrate, dev, demo, doctor)
//	names.go      keys of buckets; subjects are in store, headers in message
//	queue.go      Queue: options, Open
//
// Publishing:
//
//	submit.go     validate, seal, publish; serves usher.submit.<kind>
//	publish.go    jobs that usher itself publishes
//	reject.go     makes a dead letter of an invalid message
//
// Running a job:
//
//	delivery.go   the deliveries of a lane, one for each free slot; heartbeat and ack
//	passing.go    puts off jobs that are far behind, many at a time
//	claim.go      compares a message with the record of its job
//	take.go       takes a job by compare-and-set on its record
//	begin.go      the record of a new run
//	lease.go      Lease: a taken job or part; leases.go: those of this process
//	settle.go     Retry and End
//	letter.go     writes the dead letter of a failed job
//	rerun.go      publishes the next run of a job, for a replay
//	ending.go     cancelled jobs, and jobs that end because a part has failed
//	order.go      which job must wait for which on one target; register.go: those off the stream
//	succession.go a slot goes on with the next job of a target; arrivals.go: or of one with
//	              new messages; backlog.go: which messages
//	              wait on a target
//	creative.go   the newest job of each creative, and its audit
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
//	events.go     publishes the events that a record owes
//	changes.go    announces changes to watchers
//	waits.go      why jobs wait; holder.go: whether a worker still has its job
//
// Operating:
//
//	rollcall.go   which workers run
//	pulse.go      whether NATS takes writes; clock.go: NATS's time
//	damage.go     stored values that cannot be read
//	metrics.go    metrics of this process and of NATS
//
// The life of a message has four steps:
//
//  1. It is published to USHER_JOBS.
//  2. A worker takes it. The record then says running and names the lease.
//  3. The worker runs the job. If the export is cut, it publishes the parts to
//     USHER_PARTS and acknowledges the message; workers take parts as they take jobs.
//  4. The job ends: the dead letter is written if it failed, then the record, then the
//     event. A message that was not acknowledged in step 3 is acknowledged.
//
// Every step can be repeated: a redelivery repairs a crash between two steps.
//
// Attempts and crashes are counted in the record, because NATS's own counter also
// counts shutdowns and restarts. A crash is a delivery that finds a running record
// whose lease was not released.
package queues
