// Package usher defines the types that all packages share. usher loads audiences: it
// hashes exports of raw device ids and uploads the digests to a real-time-bidding
// platform, and it pauses and resumes campaign creatives. All of it is done by jobs.
//
// All packages use these types, and this package imports only the standard library, so
// it is the place to begin:
//
//	job.go      the body of a published job: Job, Kind, Source, Profile
//	record.go   the record of a job: Record, State, Sample
//	tally.go    the outcome of every row: Tally
//	block.go    rows of an export on their way to the pipeline: Block, RowType
//	batch.go    digests on their way to the platform: Batch
//	mirror.go   the progress of a mirror: Mirror
//	forget.go   the progress and receipt of a device.forget: Forget, Receipt
//	warning.go  what did not end a job, but people must know: Warning, WarningCode
//	format.go   the formats of exports: Format
//	plan.go     how an export is read and cut: Plan, Part, Checkpoint
//	memory.go   how the last good export of a feed or a mirrored target was read: Memory
//	rate.go     how many calls an advertiser may make: Rate
//	setting.go  what people set at run time: Setting
//	errors.go   errors that decide what happens next: Permanent, RetryAfter,
//	            Unavailable; why the context of a job has ended
//	work.go     one delivery of a job or part, as queues hands it to workers: Work,
//	            Progress, Ending
//	letter.go   failed jobs, changes of a job's state, the audit: DeadLetter, Event, Audit
//	decision.go decisions of rules: Decision, Guard, StoredDecision, Finding
//	creative.go which job has set a creative, and what rules remember of it:
//	            CreativeEntry, Change, CreativeMemory
//	bidding.go  changes of budgets and bids: BiddingChange, BiddingIntent
//	evaluation.go  recorded runs of rules: Evaluation, Tick, RuleFile
//	blind.go    rules that cannot decide, creatives that nothing resumes, and what rules took back: Blindness
//	sleep.go    waiting for a time or the end of a context: Sleep
//
// The main flow, in reading order: cmd/usher/run.go wires the parts; workers takes a
// delivery from queues and runs the handler of its kind; the handler opens the export
// (internal/exports), whose blocks go to the pipeline; hashing turns them into digests;
// batches go to the platform (internal/rtb). Errors return unchanged to
// workers/settle.go, which alone decides between ack, retry and dead letter. Without a handler,
// queues rejects a message that is no job, and ends a job that crashes its workers as poison.
//
// Ten questions, and the files that answer them, in the order in which the code runs:
//
// After a 429, internal/rtb/judge.go returns a RetryAfter, and internal/platform/platform.go
// tells internal/fleet/limiter.go, which blocks all calls for that advertiser for that time, of
// campaign jobs as well, in all workers; in this one alone while Redis is away.
// pipeline/retry.go sends the batch again if the time is short. Otherwise the handler returns
// the error, and workers/settle.go returns the job to the queue for that time, which does not
// count as an attempt. A call that would wait longer than 30 s for the rate limit itself gets its
// RetryAfter from the limiter.
//
// The stop switch is a setting, which queues/settings/settings.go keeps. While it is on,
// workers/campaign/guard.go refuses each change just before it would be made, and a job that
// has changed nothing yet ends without a change (workers/campaign/status.go). Rules still
// decide: internal/rules/guards.go holds their decisions. When the switch is off again,
// workers/campaign/decisions.go leaves out what was decided before.
//
// When a worker dies, its heartbeats end (queues/delivery.go), and NATS delivers its jobs
// again. queues/take.go counts a crash and gives the job to the next worker, and queues/parts.go
// a part of a cut one. It continues from the progress in the record; pipeline/source.go
// skips the windows before the checkpoint, and pipeline/reader.go leaves out the rows before it in its own.
// Checkpoint and tally are saved together (queues/lease.go).
// After three crashes in a row without progress, queues/take.go ends the job as poison. Locks
// of the dead worker expire (internal/fleet/lock.go), other workers take the tasks that it
// led (queues/presence/members.go), and queues/status/waits.go says meanwhile why the job
// waits.
//
// A file or head of a ledger that is missing or damaged is a DamagedError
// (internal/ledger/errors.go), also if the damage is noticed in the middle of a file
// (internal/ledger/reader.go). JobError makes it a Permanent with the class ledger_broken and
// a hint, so that workers/settle.go ends the job with a dead letter. People mend the ledger
// with the commands of cmd/usher/internal/ledger; internal/ledger/rebuild.go makes a damaged
// suppression list again. Whether the platform holds what a ledger says is only found when somebody asks, by
// usher ledger verify (cmd/usher/internal/ledger/verify.go) or on the page of an audience.
//
// Any other value in a bucket of NATS that is damaged counts as missing (queues/store/bucket.go). While a job
// runs, its worker writes its record again from what it knows (queues/lease.go), and the parts of a cut
// job rebuild it (queues/parts.go); a mirror whose parts have run ends as poison (queues/prepare.go).
// Registers of targets are rebuilt from the records (queues/targets/register.go). queues/damage.go finds and
// removes what nothing has repaired, for usher doctor.
//
// Three things take a worker for dead that was killed or suspended, each by its own clock. NATS redelivers
// its jobs when nats.ack_wait, 30 s, has passed without a heartbeat of their leases (queues/delivery.go),
// which counts as a crash. The list of members leaves it out after 10 s of silence
// (queues/presence/members.go), so that others lead and people see it; it has stopped to lead 4 s before
// (queues/presence/leader.go). Its locks in Redis expire after 30 s (internal/fleet/lock.go).
//
// Why a job waits is written where the cause is known, as the reason of a RetryAfter or of workers.Wait,
// and queues/settle.go and queues/wait.go put it into the record. What changes without the job, such as a
// paused lane or the position on its target, is computed when somebody looks
// (queues/status/waits.go, queues/status/order.go). People read both in `usher jobs show` and on the console.
//
// A pause is superseded if a newer job has set what it would set. queues/campaign.go says so before it
// runs, of all creatives of its campaign; workers/campaign/readback.go of each creative that it has read, by
// the creative's entry (queues/creative.go). It ends done, with the warning superseded in its record.
//
// Whom a mirror removes is decided by internal/ledger/compare.go: members that are not wanted, because the
// export lacks them, source.only, except or the holdout leave them out (workers/mirror_withhold.go), or they are
// suppressed. Three things end the job before it changes anything: too many of them, no id to send at all, and an
// export that was read in another way than the last one (workers/mirror.go, workers/mirror_memory.go).
//
// A replay keeps the place of its job on the target. writeHeader in queues/letter.go puts the sequence of the
// job's first message into a header of its new one, queues/message reads it, and queues/targets orders jobs
// by it.
//
// Ids in a job's body become digests in pipeline/inline.go, for queues/message/message.go: before the job
// is published (queues/submit.go), and again when it is taken, because whoever publishes to usher.jobs
// himself may not have done so.
//
// The comment of each package with several files, which begins doc.go or the file with func main,
// names every file. Places that are often looked for:
//
//	cmd/usher/internal/submit/submit.go   usher submit and its flags, such as --wait
//	cmd/usher/internal/dead/replay.go     usher dead replay, which has its own --wait
//	internal/exports/cut.go               cuts an export into parts
//	internal/exports/layout/dialect.go    decides on the delimiter, quote and escape of CSV
//	internal/exports/csv/quote.go         splits the records of CSV by them
//	hashing/mask.go                       masks device ids in texts; pipeline/source.go makes
//	                                      the samples, internal/rtb/fault.go cleans texts of the
//	                                      platform, queues/message/redact.go jobs. No logger
//	                                      masks: whoever makes a text does.
//	                                      TestCanariesInEveryField, TestCanariesInFeeds and
//	                                      TestCanaries in cmd/usher search all outputs for ids
//	pipeline/sieve.go                     finds the duplicates of a window
//	pipeline/reader.go                    leaves duplicate and suppressed digests out of
//	                                      batches
//	internal/ledger/suppression.go        stores the suppression list
//	internal/ledger/compare.go            compares the export of a mirror with what its
//	                                      target holds
//	internal/ledger/commit.go             makes a new generation of a ledger the current one
//	internal/rtb/judge.go                 turns each response of the platform, such as a
//	                                      429, into a result or a typed error
//	workers/campaign/guard.go             locks a campaign, and guards each change of it
//	workers/campaign/status.go            sets the status of a creative
//	workers/campaign/readback.go          decides that a job is superseded on a creative, by the
//	                                      entry that queues/creative.go keeps
//	queues/campaign.go                    notes that all older jobs on a campaign are superseded
//	workers/evaluation/reports.go         reads the metrics of rules from the platform
//	queues/delivery.go                    extends a lease by heartbeats
//	queues/declare.go                     declares streams and buckets, and how long they
//	                                      keep what; record.go has the life of records
//	queues/decisions/evaluation.go        stores the decisions of rules, and publishes the
//	                                      jobs that pause and resume
//	queues/presence/members.go            notices that NATS takes no writes, as with a full disk;
//	                                      WritesAgain says what to do, and
//	                                      cmd/usher/internal/doctor/values.go what doctor says
//	queues/room.go                        how full streams are, by nats.max_bytes
//	queues/letter.go                      writes a dead letter
//	queues/letters                        lists, edits, replays and discards dead letters
//	internal/rules                        rules that pause and resume creatives
//	internal/rules/figures/sums.go        the range of a sum if days of its window have no row,
//	                                      and when it is UNKNOWN
//	internal/console/throttle.go          limits failed logins at the console
package usher
