// Package usher is the vocabulary of a tool that seats audiences: it turns
// exports of raw device ids into MD5 digests on a real-time-bidding platform,
// and pauses and resumes campaign creatives, job by job.
//
// Everybody speaks these words and this package imports only the standard
// library, so it is the place to begin:
//
//	job.go      what a publisher asks for: Job, Kind, Source, Profile
//	record.go   what became of it: Record, State, Warning, Sample
//	tally.go    where every row went: Tally, and the sum that always holds
//	block.go    what flows from an export into the pipeline: Block
//	rowtype.go  what an export says of a row's id: RowType
//	batch.go    what flows from the pipeline to the platform: Batch
//	plan.go     how an export was understood and cut: Plan, Part, Checkpoint
//	rate.go     how many calls an advertiser may make: Rate
//	errors.go   what the other end said, as far as it decides what happens next:
//	            Permanent, RetryAfter, Unavailable, and the causes of a stop
//	work.go     one delivery of a job or part, as queues hands it to workers: Work,
//	            Progress, Ending
//	letter.go   what is kept for people: DeadLetter, Event, Audit
//	decision.go what rules decide on a creative, and what they remember: Decision,
//	            Guard, CreativeMemory
//	creative.go which job set a creative: CreativeEntry
//	ruling.go   a run of rules on record: Evaluation, Ruling, Change
//	sleep.go    a pause that a context ends: Sleep
//
// The main flow, in reading order: cmd/usher/run.go builds the parts; workers
// takes a delivery from queues and runs the file of its kind; that opens the
// export (internal/exports), which yields blocks to the pipeline; hashing turns
// blocks into digests; batches go to the platform (internal/rtb); the error
// climbs unchanged to workers/settle.go, which alone decides between ack, retry
// and bury.
package usher
