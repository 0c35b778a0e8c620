// Package backtest runs a rule file over days in the past, and sums up what its rules would
// have done. It also estimates what the pauses that rules have really made have saved.
//
//	backtest.go  Run: a set, run at the end of each day
//	numbers.go   its budgets and bids
//	summary.go   Outcome: the decisions, and their sums
//	effect.go    Effects: what each rule alone would have done on a day
//	saved.go     Saved: what real pauses have saved
package backtest
