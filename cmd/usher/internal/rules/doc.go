// Package rules implements usher rules: check, test, preview and backtest rules, list their
// runs, and approve, reject and undo them.
//
//	command.go   the group
//	file.go      read a rule file
//	check.go     check
//	live.go      check --live
//	test.go      test
//	preview.go   preview
//	backtest.go  backtest
//	numbers.go   budgets and bids of a backtest
//	compare.go   two versions of a file, side by side
//	page.go      the page of a backtest, and its tables
//	charts.go    the charts of that page
//	ls.go        ls
//	show.go      show
//	runs.go      runs ls and runs show
//	why.go       why
//	approve.go   approve and reject
//	undo.go      undo
//	keep.go      keep, kept and release
//	repair.go    repair memory and repair order
//	pause.go     pause and resume a rule
package rules
