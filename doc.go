// Package usher defines the types that all packages share. usher loads audiences: it
// hashes exports of raw device ids and uploads the digests to a real-time-bidding
// platform, and it pauses and resumes campaign creatives. All of it is done by jobs.
//
// All packages use these types, and this package imports only the standard library, so
// it is the place to begin:
//
//	job.go      the body of a published job: Job, Kind, Source, Profile
//	record.go   the record of a job: Record, State, Warning, Sample
//	tally.go    the outcome of every row: Tally
//	block.go    rows of an export on their way to the pipeline: Block, RowType
//	batch.go    digests on their way to the platform: Batch
//	mirror.go   the progress of a mirror: Mirror
//	forget.go   the progress and receipt of a device.forget: Forget, Receipt
//	plan.go     how an export is read and cut: Plan, Part, Checkpoint
//	rate.go     how many calls an advertiser may make: Rate
//	setting.go  what people set at run time: Setting
//	errors.go   errors that decide what happens next: Permanent, RetryAfter,
//	            Unavailable, and the causes of a stop
//	work.go     one delivery of a job or part, as queues hands it to workers: Work,
//	            Progress, Ending
//	letter.go   failed jobs, changes of a job's state, the audit: DeadLetter, Event, Audit
//	decision.go decisions of rules: Decision, Guard, StoredDecision, Finding
//	creative.go which job has set a creative, and what rules remember of it:
//	            CreativeEntry, Change, CreativeMemory
//	bidding.go  changes of budgets and bids: BiddingChange, BiddingIntent
//	evaluation.go  recorded runs of rules: Evaluation, Tick, RuleFile
//	sleep.go    waiting for a time or the end of a context: Sleep
//
// The main flow, in reading order: cmd/usher/run.go wires the parts; workers takes a
// delivery from queues and runs the handler of its kind; the handler opens the export
// (internal/exports), whose blocks go to the pipeline; hashing turns them into digests;
// batches go to the platform (internal/rtb). Errors return unchanged to
// workers/settle.go, which alone decides between ack, retry and dead letter.
//
// Each package with several files begins with doc.go, which names every file. Places that
// are often looked for:
//
//	cmd/usher/internal/submit/submit.go   usher submit and its flags, such as --wait
//	cmd/usher/internal/dead/replay.go     usher dead replay, which has its own --wait
//	internal/exports/cut.go               cuts an export into parts
//	internal/exports/csv/quote.go         delimiters, quotes and escapes of CSV
//	hashing/mask.go                       masks device ids in texts
//	pipeline/reader.go                    leaves duplicate and suppressed digests out of
//	                                      batches
//	internal/ledger/suppression.go        stores the suppression list
//	internal/ledger/comparison.go         compares the export of a mirror with what its
//	                                      target holds
//	internal/ledger/commit.go             makes a new generation of a ledger the current one
//	internal/rtb/judge.go                 turns each response of the platform, such as a
//	                                      429, into a result or a typed error
//	workers/campaign/guard.go             locks a campaign, and guards each change of it
//	workers/campaign/status.go            sets the status of a creative
//	workers/evaluation/reports.go         reads the metrics of rules from the platform
//	queues/delivery.go                    extends a lease by heartbeats
//	queues/creative.go                    the order of the jobs that set a creative
//	queues/decisions/evaluation.go        stores the decisions of rules, and publishes the
//	                                      jobs that pause and resume
//	queues/letter.go                      writes a dead letter
//	queues/letters                        lists, edits, replays and discards dead letters
//	internal/rules                        rules that pause and resume creatives
//	internal/rules/figures/sums.go        on how many days a window must have a row, so
//	                                      that it is not UNKNOWN
//	internal/console/throttle.go          limits failed logins at the console
package usher
