// Package rules turns metrics and a time into decisions. It reads no clock, no
// file and no network, so acting, previewing, backtesting, testing and explaining
// are the same code.
//
//	set.go         Set, Rule, Snapshot: a loaded rule file, and the input of a run
//	schema.go      the JSON Schema of rule files, rules.schema.json
//
// Reading a rule file:
//
//	load.go        Load
//	rule.go        a rule and its keys
//	test.go        a test case and its keys; RunTests
//	node.go        YAML values, read strictly
//	problem.go     Problem: a message, its place in the file, and a hint
//	lint.go        likely mistakes in a valid file; overlap.go: pause_when and
//	               resume_when that hold at once
//	window.go      windows of days
//	schedule.go    when a rule is due; cron.go: its five fields
//
// Conditions:
//
//	condition.go   the subset of CEL, checked and translated to expressions
//	faults.go      errors in conditions, in plain words
//	variable.go    the metrics that conditions may use
//	expression.go  an expression, evaluated over columns
//	format.go      expressions and numbers as text
//
// Decisions:
//
//	field.go       the numbers of a report row
//	figures.go     Figures: report rows, summed by window
//	verdict.go     a rule's verdict on a campaign or creative, before guards
//	decide.go      Decide: the votes of all rules, one decision a creative
//	guards.go      what holds decisions back: keep_active, caps, approval, stop
//	explain.go     decisions with their metrics and votes
//	evidence.go    the metrics and values behind a verdict
//	reason.go      the reason of a decision as text
//	backtest.go    Backtest: a set, run over days in the past
//	summary.go     the sums of a backtest
//
// A condition is true, false or UNKNOWN. A metric is UNKNOWN if no row provides it,
// if it divides by zero, or if it is not finite. UNKNOWN never fires, and neither
// does its negation.
//
// # How it is used
//
//	set, problems := rules.Load("budgets.yaml", data)
//	figures := rules.NewFigures(set, at)     // at: the time of the run
//	needs := figures.Needs()                 // the days whose reports it reads
//	figures.Add(row) …                       // each row of these reports
//	run, err := set.Decide(ctx, rules.Snapshot{Figures: figures, Creatives: …})
//	for d := range run.Decisions(nil) { … }
//
// The caller records what was done as usher.CreativeMemory and passes it with the
// next Snapshot.
package rules
