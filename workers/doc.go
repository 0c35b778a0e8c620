// Package workers is how a job is run: take, run, settle.
//
//	worker.go         Worker: slots per lane, two contexts, nothing left behind
//	delivery.go       what workers need of a queue: Delivery and its neighbours
//	job.go            one delivery on its way through a handler
//	span.go           its span: below the publisher's, or linked to it
//	precedence.go     uploads stand still while a pause is at work
//	settle.go         the one table: ack, retry or bury
//	upload.go         an export on its way: turn, plan, cut or run, checkpoint
//	segment_add.go    segment.add
//	segment_remove.go segment.remove
//	target_add.go     target.add
//	target_replace.go target.replace: count, clear, add
//	target_clear.go   target.clear
//	campaign.go       campaign.pause and campaign.resume: the protocol
//	evaluate.go       rules.evaluate: what a rule file decides, once a job
//	snapshot.go       what it decides on, and what is kept of it
//	sizes.go          how many creatives a rule has in scope
//	schedule.go       Scheduler: the ticks of rules, one run however many workers
//	decided.go        where the job is a rule's: what the rule decided
//	creatives.go      which creatives change, and what was said of each
//	account.go        what became of each, read back and audited
//	overtaken.go      changes that came after a newer word, put back
//	metrics.go        what rules read of the platform: reports and statuses
//
// A handler returns an error or nil; only settle.go decides what that means.
package workers
