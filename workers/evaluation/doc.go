// Package evaluation runs rules.evaluate jobs and publishes them by schedule.
//
//	handler.go   Handler: evaluates a rule file once a job
//	evaluate.go  one evaluation: what is read, and what is decided
//	event.go     the metrics that a job carries
//	snapshot.go  the creatives that the rules decide about
//	rulings.go   what is kept of the decisions
//	sizes.go     how many creatives a rule has in scope
//	reports.go   ReadReports, ReadCreatives: what rules read of the platform
//	schedule.go  Scheduler: the ticks of rules, one run for any number of workers
package evaluation
