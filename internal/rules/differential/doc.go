// Package differential has no code but tests: an evaluator of rule files that was written
// from the documentation alone, and that is compared with the command usher over random
// files and random reports with holes. It imports nothing of usher.
//
//	draw_test.go       random rule files; write_test.go: as text
//	account_test.go    random campaigns, reports and time zones
//	evaluator_test.go  what a rule says of a creative, by the documentation
//	scene_test.go      the values of its conditions; sums_test.go: sums of report rows
//	currency_test.go   how these depend on currencies
//	targets_test.go  tables of targets
//	outcomes_test.go  numbers from outside
//	table_test.go      what all rules of a file decide together
//	platform_test.go   a platform that serves the reports
//	command_test.go    the command; process_test.go: its servers and workers
//	differential_test.go  the comparison
//	ways_test.go       by preview, backtest and rules test
//	numbers_test.go    budgets and bids, by preview and backtest
//	runs_test.go       by time and by events, with people in between
//	world_test.go      reports as they come day by day, late, wrong and corrected
//	quarter_test.go    a quarter, in which people and outages get in the way of rules
//	quarter_check_test.go  what must hold in it
package differential
