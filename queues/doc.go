// Package queues is jobs over NATS JetStream: how they come, who has them, and
// what became of them. It is the only importer of NATS, the only validator of
// jobs, and alone writes records, events, audit and dead letters.
//
//	names.go     headers of messages and keys of buckets, see store
//	declare.go   declares and checks them (usher migrate, dev, demo, doctor)
//	queue.go     Queue: a connection's view of all of it
//	submit.go    publish: validate, seal, store; usher.submit.<kind>
//	cloudevent.go a job within a CloudEvent
//	message.go   a message understood: kind, id, run, order, job
//	redact.go    what may be kept of a message that is not valid
//	lane.go      a lane's deliveries, one per free slot
//	delivery.go  one message: heartbeat, ack, retry, term
//	take.go      a delivery becomes a Lease, by compare-and-set on the record
//	lease.go     Lease: ours until exactly one of ack, retry, bury
//	settle.go    those: Retry and End
//	entry.go     what a record holds beside what people see
//	split.go     cutting a job: the plan on record, atomic fan-out
//	atomic.go    JetStream's atomic batch publish
//	parts.go     one part: taken, ended; whoever sets the last bit settles
//	sum.go       a cut job's record is the sum of its parts'
//	ending.go    a job must end: cancel, a buried part
//	order.go     the order between jobs on one target
//	creative.go  the last word on a creative
//	records.go   reading: jobs ls, show, watch
//	history.go   a job's events, the states of its parts
//	audits.go    reading the audit, newest or oldest first
//	lanes.go     what is in each lane
//	changes.go   hearing that something has changed
//	letter.go    a dead letter, written and read
//	letterjson.go its JSON, read by the million
//	letters.go   dead letters by filter: pages, groups
//	lettergroups.go their causes, by the shape of the message
//	survey.go    how many, of what causes, before something is done to them
//	act.go       doing something to many of them, audited
//	replay.go    one replay, and what speaks against it
//	replays.go   many: plan, carry out, report
//	edit.go      a dead job's body changed; assign.go by field=value
//	discard.go   removed for good
//	pauses.go    pausing lanes
//	waits.go     what keeps jobs that do not go on
//	holder.go    whether somebody has what is running by its record
//	rollcall.go  which workers there are
//	limits.go    rate limits that were set at run time
//	metrics.go   what this process did, and what NATS holds
//	news.go      what people must be told, once
//	trace.go     a publisher's traceparent
//	memo.go      values of a bucket, for a while
//	events.go    events and audit
//	switch.go    the stop switch of campaign actions
//	decide.go    what rules decided, kept, so that it holds once
//	enact.go     the jobs that carry an evaluation out
//	judgement.go approve, reject, undo
//	memory.go    what rules remember of creatives, and how to make it anew
//	why.go       the story of a creative
//	ticks.go     a schedule's ticks, once however many workers
//	announce.go  the rule files that workers act by
//	forget.go    old evaluations
//
// A message's life: published to USHER_JOBS → taken (the record says running
// and by whom) → run at once, or cut into parts on USHER_PARTS and acked →
// ended (dead letter first where it failed, record, event) → acked. Every step
// may be repeated; redelivery heals a crash between two.
//
// Attempts and crashes are counted on the record, because NATS's own counter
// also rises with shutdowns and restarts. A crash is a delivery that finds the
// record running and given back by nobody.
package queues
