// Package queues runs jobs over NATS JetStream: publishing, deliveries, leases, parts. NATS
// is imported only here and in the packages below. Only this package changes records and
// writes dead letters of jobs that fail.
//
// A job changes a target: a segment, or a campaign's device ids or creatives. On a segment, adds
// run beside each other; removals and mirrors, which make a segment equal to an export, run alone
// and in order. A slot is a goroutine of a worker that runs one job, or one part of a cut job, at a
// time. A delivery is one hand-over of a message by NATS to a slot. A lease is a worker's right to
// run a job or part, named in its record. A delivery is settled in one of three ways (delivery.go):
//
//   - left: it is acknowledged, because the job waits, or another delivery carries it;
//   - returned: NATS delivers it again, at once, after a delay, or at the deadline of a job that waits;
//   - done: the message of the job, which has ended or was cut, is deleted, and with it its delivery. If
//     the message that released the job carried it, that one is acknowledged.
//
// docs/concepts/words.md has the other words.
//
// Below this package are store (buckets and streams), schema (of jobs), message (reads a job as it was
// published), records (of jobs), targets (the order of jobs on each target), presence (which
// workers are alive, and which leads), status (what people see of jobs), audit (who changed what),
// settings (what people set at run time), lanes and heads (of ledgers). Above it are letters (dead
// letters) and decisions (what rules decided). Beside it is backups (of the streams and buckets).
//
// A lane is a queue with its own consumers and its own slots in each worker. A run
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
//	submit.go     validates jobs, replaces their inline ids by digests and publishes them;
//	              serves usher.submit.<kind>
//	room.go       how full the streams are, which refuse jobs when they are full
//	publish.go    jobs that usher itself publishes
//	reject.go     makes a dead letter of an invalid message
//	rerun.go      publishes the next run of a job, for a replay
//
// Running a job:
//
//	deliveries.go what a slot does: waits for a message of its lane and takes the job
//	pull.go       requests messages from NATS
//	delivery.go   a delivered message: its heartbeats, and how it is settled
//	take.go       takes a job by compare-and-set on its record
//	prepare.go    before a take: begins the record or the next run, or settles a message
//	              without work
//	wait.go       whether a job must wait for others on its target
//	released.go   releases a job that need not wait any longer; forgotten.go: finds one whose
//	              release was lost
//	lease.go      Lease: a taken job or part
//	leases.go     the leases of this process
//	settle.go     Retry and End: return a job to the queue, or end it
//	background.go what follows the end of a job, while the next one runs
//	letter.go     writes the dead letter of a failed job
//	cancel.go     cancels jobs
//	takealong.go  removals that follow one another run together
//	creative.go   the newest job of each creative, and its audit; campaign.go: of each campaign
//
// Parts of a cut job:
//
//	split.go      stores the plan and publishes the parts, as one batch
//	parts.go      takes a part
//	step.go       the parts of a step of a mirror, whose message stays until its last step
//	partend.go    ends a part; the last one settles the job
//
// Operating:
//
//	clock.go      NATS's time
//	damage.go     finds and removes damaged values, for usher doctor; while jobs run, lease.go
//	              and parts.go replace their records
//	restored.go   makes what was restored from a backup consistent
//	metrics.go    metrics of this process and of NATS
//
// # The life of a message
//
//  1. It is published to USHER_JOBS or, if it is a job on a campaign or of rules, to
//     USHER_CAMPAIGNS. Its sequence there is the place of its job in the order of the target; a
//     replay keeps the place of the first publish.
//  2. NATS delivers it to a slot of the job's lane. If the target has jobs that must end first,
//     the job waits: its record says for which one, and the slot acknowledges the delivery. The
//     message stays on the stream, and NATS does not deliver it again. If the job has a deadline, the
//     slot has NATS deliver it again then. For a pause, or a job with a hundred before it, the record
//     is not written: the reason is computed when somebody looks. If many messages of a lane are not
//     delivered yet, its slots look for new jobs that need not wait, and release them before NATS
//     delivers their own messages.
//  3. When a job ends, its worker finds the jobs on the target that may run next, and releases
//     them: it publishes the sequences of their messages to USHER_RELEASED. The lane delivers this
//     to a slot, which reads the message of the job and asks again whether the job may run.
//  4. A slot takes the job. The record then says running, and names the lease and the delivery
//     that carries the job: that of its own message, or that of the message on USHER_RELEASED.
//     Heartbeats keep this delivery alive. Any other delivery of the job is acknowledged and has
//     no effect; that of a job which another one has taken along is returned, see takealong.go.
//  5. The worker runs the job. If the export is cut, it writes the plan into the record, publishes all
//     parts to USHER_PARTS as one batch, writes into the record that they carry the job, and deletes
//     the message; workers take parts as they take jobs, and the last part ends the job. If the worker
//     is killed in between, the redelivery does what is missing, and NATS drops parts that it
//     publishes again, by their message ids; if all parts have ended by then, the redelivery ends the
//     job. A mirror publishes the parts of a step in the same way and keeps its message: its delivery
//     is returned for some seconds, again and again, while no slot has the job (it is snoozed), and
//     the last part of the step releases the job.
//  6. The job ends: the dead letter is written if it failed, then the record. Then it releases
//     the next job on its target, its event is published, its message is deleted, and the delivery
//     that carried it is acknowledged.
//
// Every step can be repeated: if a worker is killed between two steps, NATS delivers the message
// that carries the job again after AckWait to the next free slot, which does what is missing.
// Jobs that wait need no delivery for this, because the job that they wait for has one, or its parts
// have. A NATS server that lags may report an old end of the stream; a job that ends then does not
// see one that waits for it. So the leading worker (package presence) searches for such jobs every
// AckWait, which is 30 s unless nats.ack_wait says otherwise; if it dies, another one leads after about
// 10 s.
//
// For example, five jobs are published for one segment: add A, removals B and C, and adds D and E. A runs; the
// others were delivered and wait, B for A, C for B, D and E for C. A ends and releases B, whose worker
// is killed:
//
//   - B's record still says running. After AckWait, NATS delivers the message on USHER_RELEASED again,
//     to any slot of the lane. That delivery carries the job, so the slot counts a crash and continues
//     at the checkpoint.
//   - C, D and E wait as before. If one of them is delivered nevertheless, such as by a second
//     release of the same job, the slot finds the job in its way and acknowledges the delivery.
//   - B ends and releases C. C ends and releases D and E together, up to the next job that runs
//     alone. If the worker was killed after B's record had ended, the slot that gets the message
//     again finds this: it does not run B, but releases C. Until C is taken, its reason still names B. C
//     may be released twice: NATS drops the second message, or the slot that gets it finds that the
//     job is running or gone.
//   - If B kills three workers in a row and saves no checkpoint in between, it fails; that is an
//     end, too, and releases C.
//
// If B and C have at most 100 ids each, B takes C along, see takealong.go: C's record names B, whose
// delivery carries both, and C is settled before B. If their worker is killed, each of them counts a
// crash and begins anew; B runs alone in its next attempt, and its end releases C.
//
// Pauses and resumes of a campaign run newest first; the device ids of campaigns are in order, as
// segments are; evaluations of rules wait for nobody. Pauses P1, P2 and P3 of one campaign were published; the
// slots that get P1 and P2 find P3, release it if nobody runs it, and end their deliveries. P3 does
// not wait for an older job that runs, because the older one does not change creatives that P3
// sets. While P3 waits for its next attempt, the others do not wait for it: the worker that returns P3
// releases P2. A job whose worker was killed says running, so they wait for that one. Suppose that P3's worker is killed:
//
//   - NATS delivers P3 again after AckWait, as B above. P1 and P2 wait. P3 reads the creatives again,
//     and sets only those that are not as it wants them.
//   - P3 ends and releases the newest before it, P2, whose end releases P1. If P3 is for all creatives
//     of the campaign, it notes in the campaign's entry that it has set them before it ends, and P2 and
//     P1 end as superseded without a call of the platform. They also end as superseded if they find,
//     when they have read the creatives, that P3 has set the same ones. If P3 fails before that, it
//     has noted nothing, and P2 is carried out.
//
// Attempts and crashes are counted in the record, because NATS's own counter also
// counts shutdowns and restarts. A crash is counted when the delivery that
// carries a job comes again and finds that the record still names a lease which nobody has given up.
package queues
