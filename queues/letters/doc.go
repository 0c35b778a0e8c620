// Package letters manages dead letters, the jobs that failed for good: it lists
// and groups them, edits their jobs, replays them and discards them. Package
// queues writes a letter when a job fails.
//
//	letters.go    Letters: Each, List, Get, Groups, Count
//	filter.go     Filter: which letters
//	read.go       reads the stream of letters
//	group.go      groups letters by cause
//	survey.go     Survey: how many letters, of what causes
//	objection.go  reasons not to replay a letter
//	later.go      what later jobs mean for letters
//	plan.go       ReplayPlan: what a replay would do
//	replay.go     Replay: publishes the jobs again; waits until they have ended
//	edit.go       Edit: changes the jobs of letters
//	restore.go    puts back the parts of a job that people do not see
//	fix.go        FixPlan: what a change and a replay would do
//	assign.go     a change of fields by name
//	remedy.go     Remedies: the changes of a job that its error asks for
//	act.go        acts on many letters at once: audit, Discard
package letters
