// Package evaluation runs rules.evaluate jobs and publishes them by schedule.
//
//	handler.go   Handler: evaluates the rule file of a job
//	evaluate.go  one evaluation: what is read, and what is decided
//	late.go      times of a schedule that are evaluated late, or not any more
//	votes.go     reads the report rows that rules need that are not due, because they vote, too
//	event.go     the metrics that a job carries
//	snapshot.go  the creatives that the rules decide about
//	numbers.go   budgets and bids: what is read of them, and decided
//	decisions.go the decisions and findings that are stored
//	blind.go     on what rules are blind, and creatives that nothing resumes
//	again.go     Question: what rules want outside of a run; the spend at stake
//	cache.go     what a worker remembers of the platform for an hour
//	sizes.go     how many creatives or campaigns a rule has in scope
//	reports.go   ReadReports, ReadCreatives: what rules read from the platform
//	present.go   ReadPresent: what reports with holes need of campaigns as they are now
//	schedule.go  Scheduler: the ticks of rules, one run for any number of workers
//
// A scheduled run lists the campaigns, and reads one report for all rules on campaigns, one for
// each campaign for rules on creatives, and statuses only of campaigns in which something would
// change. Further calls:
//
//   - Of rules that are not due, it reads rows of creatives only if a resume or keep_active
//     depends on them. If such a rule compares an amount with a plain number, one more report of
//     all campaigns shows their currencies.
//   - For max_share, the creatives in scope are counted once an hour.
//   - If conditions sum campaigns, the statuses of those without a row in the last 7 days are
//     read and, if rows are missing and conditions read budgets, the definitions of these
//     campaigns: each time, or if they are more than 100, once an hour.
//   - If a rule is UNKNOWN because rows are missing, reports of the last 7 days and statuses show
//     whether it is blind, once an hour at most while nothing changes.
package evaluation
