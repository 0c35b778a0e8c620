// Package rules decides: metrics and time in, decisions out. It reads no clock,
// no file and no network, so that acting, previewing, backtesting, testing and
// explaining are the same code.
//
//	set.go         Set, Rule, Snapshot: a rule file as it was understood, and all
//	               that a run decides on
//	load.go        Load: a rule file read strictly; rule.go and test.go read its
//	               parts, node.go its YAML, problem.go says what is wrong where
//	condition.go   conditions: CEL, cut down, checked, made into expressions
//	variable.go    what conditions may read, and what it is made of
//	expression.go  an expression, evaluated over columns
//	doubt.go       what can be read, and is likely to go wrong
//	window.go      days: windows, zones, clocks that change
//	schedule.go    when a rule is due
//	field.go       the numbers of a report row
//	figures.go     Figures: report rows, summed by window
//	verdict.go     what a rule says before any guard
//	decide.go      Decide: every vote collected, one decision a creative
//	guards.go      what holds back: keep_active, caps, approval, stop
//	explain.go     decisions in words and numbers
//	backtest.go    Backtest: a set, day by day over days that have passed
//	schema.go      the JSON Schema of rule files, rules.schema.json
//
// A condition comes to true, false or UNKNOWN, which is how a metric is that no
// row tells, that divides by zero, or that is no finite number. UNKNOWN never
// fires, and neither does its negation.
//
// # How it is used
//
//	set, problems := rules.Load("budgets.yaml", data)
//	figures := rules.NewFigures(set, at)     // at: the run's time
//	needs := figures.Needs()                 // the days whose reports it reads
//	figures.Add(row) …                       // each row of them
//	run, err := set.Decide(ctx, rules.Snapshot{Figures: figures, Creatives: …})
//	for d := range run.Decisions(nil) { … }
//
// What was done is remembered as usher.CreativeMemory: hand it in again with the
// next Snapshot.
package rules
