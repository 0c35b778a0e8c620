// Package rules turns metrics and a time into decisions. It reads no clock, no
// file and no network, so acting, previewing, backtesting, testing and explaining
// are the same code.
//
// What it stands on:
//
//	calendar    days, hours and schedules on the clock of an account
//	figures     report rows, summed by window
//	expression  what conditions are made of, evaluated over figures and explained
//	targets     tables of targets of campaigns
//	condition   the language of conditions: compiles a text into an expression
//	analysis    finds conditions that are always or never true, or hold at once
//	document    YAML files, read strictly, with the places of all problems
//
// Above it, backtest runs a rule file over days in the past, and files watches a folder of
// rule files. differential has tests that compare the whole command with an evaluator of
// their own.
//
// This package has the rule files and the decisions:
//
//	set.go         Set, Rule, Snapshot: a loaded rule file, and the input of a run
//
// Reading a rule file:
//
//	load.go        Load; Schema: the JSON Schema of rule files; Problem: a message, its place
//	               in the file, and a hint
//	rule.go        a rule and its keys
//	test.go        a test case and its keys; RunTests
//	scalar.go      words, numbers and conditions, and where they are in the file
//	key_hint.go    what is meant by an unknown key
//	lint.go        likely mistakes in a valid file; lint_overlap.go: conditions that hold
//	               at once; lint_scope.go: patterns and limits
//	contradictions.go  checks rules of several files that disagree, before they run
//	until.go       until: when a rule resumes what it paused
//	delivered.go   Undelivered: numbers from outside that nobody has delivered
//	keep.go        until when a person keeps rules from a creative or campaign
//	formerly.go    what a renamed rule takes over
//	selection.go   the creatives that a scope selects; labels
//	bidding.go     budget and bid: how a rule changes a number of its campaigns
//	keys.go        a rule's keys as text
//	targets.go     targets: a table that the file names
//	schedule.go    schedule: when a rule is due; active_hours: when creatives may be ACTIVE
//
// Decisions:
//
//	vote.go        a rule's vote on a campaign or creative, before guards
//	voter.go       the rules that take part in a run, and their order
//	decide.go      Decide: which rule takes which creative, one decision a creative
//	numbers.go     DecideNumbers: the same for budgets and bids, one decision a campaign
//	days.go        for: the days on which pause_when must have held; min_age: what is too
//	               young for a change
//	blind.go       on what rules cannot decide because rows are missing
//	guards.go      what holds decisions back: cooldowns, keep_active, caps, stop
//	notice.go      notify: which decisions are reported, and when a finding ends
//	explain.go     decisions with their metrics and votes, and the figures behind them
//	reason.go      the reason of a decision as text
//
// A condition is true, false or UNKNOWN. A sum whose window lacks rows is a range that begins at
// what is known (figures); a condition that the range does not decide is UNKNOWN (expression), as is
// one on a number that no row provides, that divides by zero, or that is not finite. vote.go says
// what a rule does then: UNKNOWN never fires, and neither does its negation.
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
