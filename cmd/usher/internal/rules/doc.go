// Package rules is usher rules: check, test and preview rules, look at their runs,
// and approve, reject, undo and stop them.
//
//	command.go   the group
//	file.go      reading a rule file
//	check.go     check
//	try.go       test
//	preview.go   preview
//	backtest.go  backtest
//	page.go      the backtest's page, with tables
//	charts.go    the backtest's page: charts
//	ls.go        ls
//	runs.go      runs and run
//	why.go       why
//	judge.go     approve, reject, undo and rebuild
//	switch.go    stop and start
package rules
