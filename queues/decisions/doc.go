// Package decisions keeps what rules decided and remember, and publishes the jobs
// that carry their decisions out. It decides nothing: package rules makes the decisions, and
// workers/evaluation has them stored and carried out by StoreAndEnact.
//
//	store.go       Store; keys of the rules bucket
//	evaluation.go  evaluations: store once and publish their jobs, list, look up, delete old ones
//	decisions.go   the decisions of an evaluation: which are kept, and where
//	jobs.go        the campaign jobs that carry an evaluation out, and ids that other jobs had
//	               before
//	approve.go     Interventions: approve and reject held evaluations
//	undo.go        take an evaluation back; let rules change a creative again afterwards
//	memory.go      what rules remember of creatives; rebuild it from the audit; a change of a
//	               number that is about to be made
//	notices.go     findings that rules with notify have reported, and runs that are still to be
//	               reported
//	blind.go       what rules are blind on, creatives that nothing resumes, and what rules took back
//	story.go       the story of a creative
//	activity.go    what rules have done since a time, and when creatives were paused
//	earlier.go     pauses that began before that time and lasted
//	tick.go        ticks of schedules: each is one job, whatever the number of workers
//	files.go       FileRegistry: the rule files by which workers act
//	damage.go      stored values that cannot be read, and their repair
package decisions
