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
//	node.go        YAML values, read strictly; yaml.go: errors of the YAML parser
//	zone.go        the account's time zone
//	problem.go     Problem: a message, its place in the file, and a hint
//	lint.go        likely mistakes in a valid file; overlap.go: pause_when and
//	               resume_when that hold at once; lint_schedule.go: schedules;
//	               lint_scope.go: patterns and limits; lint_data.go: min_data;
//	               lint_condition.go: conditions that are constant or misleading;
//	               lint_mixed.go: && and || without parentheses
//	contradictions.go  rules of several files that disagree
//	selection.go   the creatives that a scope selects; labels
//	keys.go        a rule's keys as text
//	window.go      windows of days
//	hours.go       active_hours: when creatives may be ACTIVE
//	schedule.go    when a rule is due; cron.go: its five fields
//
// Conditions:
//
//	condition.go   the subset of CEL, checked and translated to expressions
//	signs.go       signs, words and numbers that conditions do not have
//	faults.go      errors in conditions, in plain words
//	variable.go    the metrics that conditions may use
//	expression.go  an expression, evaluated over columns; relative.go: columns of the
//	               campaign, of the account and of other windows; rank.go: ranks
//	format.go      expressions and numbers as text
//	comparison.go  a comparison in its simplest form; quantity.go: what it compares;
//	               box.go: the figures with which a condition holds; interval.go
//
// Decisions:
//
//	field.go       the numbers of a report row
//	figures.go     Figures: report rows, summed by window
//	verdict.go     a rule's verdict on a campaign or creative, before guards
//	voter.go       the rules that take part in a run, and their order
//	decide.go      Decide: which rule takes which creative, one decision a creative
//	age.go         min_age: what is too young for a change
//	held.go        for: the days on which pause_when must have held
//	guards.go      what holds decisions back: cooldowns, keep_active, caps, stop
//	notice.go      notify: which decisions are told, and when a finding ends
//	explain.go     decisions with their metrics and votes
//	evidence.go    the metrics and values behind a verdict
//	reason.go      the reason of a decision as text
//	backtest.go    Backtest: a set, run over days in the past
//	summary.go     the sums of a backtest
//	effect.go      what each rule alone would have done on a day
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
