// Package queues runs jobs over NATS JetStream: publishing, deliveries, leases, parts. NATS
// is imported only here and in the packages below. Only this package changes records and
// writes dead letters of jobs that fail.
//
// Below it are store (buckets and streams), schema (of jobs), message (reads a job as it was
// published), records (of jobs), targets (the order of jobs on each target), presence (which
// workers live, and lead), status (what people see of jobs), audit (who changed what), settings
// (what people set at run time), lanes and heads (of ledgers). Above it are letters (dead
// letters) and decisions (what rules decided). Beside it is backups (of the streams and
// buckets).
//
// A lane is a queue with its own consumer and its own slots in each worker. To seal a
// job is to replace its raw inline ids by digests before it is stored. A run
// lasts from a publish of the job to its end, over all attempts; a replay of its dead
// letter publishes the next run.
//
// Streams and buckets:
//
//	declare.go    declares them (usher migrate, dev, demo); check.go: checks them (doctor)
//	queue.go      Queue: options, Open
//
// Publishing:
//
//	submit.go     validates, seals and publishes jobs; serves usher.submit.<kind>
//	publish.go    jobs that usher itself publishes
//	reject.go     makes a dead letter of an invalid message
//	rerun.go      publishes the next run of a job, for a replay
//
// Running a job:
//
//	delivery.go   the deliveries of a lane, one for each free slot; heartbeat and ack
//	pull.go       requests messages from NATS
//	postpone.go   postpones jobs that are far behind, many at a time
//	take.go       takes a job by compare-and-set on its record
//	prepare.go    before a take: begins the record or the next run, or settles a message
//	              without work
//	turn.go       whether a job must wait for others on its target
//	lease.go      Lease: a taken job or part; its heartbeats are in delivery.go
//	leases.go     the leases of this process
//	settle.go     Retry and End: return a job to the queue, or end it
//	beside.go     the event and the ack of a job that has ended, while the next one runs
//	letter.go     writes the dead letter of a failed job
//	cancel.go     cancels jobs
//	slot.go       a slot continues with the next job of a target; elsewhere.go: or with one
//	              on a target of new messages
//	following.go  removals that follow one another run together
//	creative.go   the newest job of each creative, and its audit; campaign.go: of each campaign
//
// Parts of a cut job:
//
//	split.go      stores the plan and publishes the parts, by atomic.go as one batch
//	parts.go      takes a part
//	share.go      the parts of a job with steps, whose message stays on the queue
//	partend.go    ends a part; the last one settles the job
//
// Operating:
//
//	clock.go      NATS's time
//	damage.go     stored values that cannot be read
//	restored.go   makes what was restored from a backup consistent
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
