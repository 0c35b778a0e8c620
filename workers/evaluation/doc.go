// Package evaluation runs rules.evaluate jobs and publishes them by schedule.
//
//	handler.go   Handler: evaluates the rule file of a job
//	evaluate.go  one evaluation: what is read, and what is decided
//	votes.go     reads the report rows that rules need that are not due, because they vote, too
//	event.go     the metrics that a job carries
//	snapshot.go  the creatives that the rules decide about
//	numbers.go   budgets and bids: what is read of them, and decided
//	decisions.go the decisions and findings that are stored
//	blind.go     on what rules are blind, and creatives that nothing resumes
//	again.go     Question: what rules want outside of a run; the spend at stake
//	sizes.go     how many creatives or campaigns a rule has in scope
//	reports.go   ReadReports, ReadCreatives: what rules read from the platform
//	present.go   ReadPresent: what reports with holes need of campaigns as they are now
//	schedule.go  Scheduler: the ticks of rules, one run for any number of workers
package evaluation
