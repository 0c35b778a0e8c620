// Package decisions keeps what rules decided and remember, and publishes the jobs
// that carry their decisions out. It decides nothing: package rules makes the decisions, and
// workers/evaluation has them stored and carried out by StoreAndEnact.
//
//	store.go       Store; keys of the rules bucket
//	evaluation.go  evaluations: store once and publish their jobs, list, look up
//	decisions.go   the decisions of an evaluation: which are kept, and where
//	jobs.go        the campaign jobs that carry an evaluation out
//	rename.go      ids of these jobs that other jobs had before
//	approve.go     Interventions: approve and reject held evaluations
//	undo.go        take an evaluation back
//	release.go     let rules change a creative again after an undo
//	memory.go      what rules remember of creatives; rebuild it from the audit
//	claim.go       a change of a number that is about to be made
//	findings.go    findings that rules with notify have reported
//	notices.go     runs that are still to be reported
//	story.go       the story of a creative
//	tick.go        ticks of schedules: each is one job, whatever the number of workers
//	files.go       FileRegistry: the rule files by which workers act
//	forget.go      delete old evaluations
//	damage.go      stored values that cannot be read, and their repair
//	switch.go      the stop switch of campaign actions
//	pause.go       rules that people have paused
package decisions
