// Package figures sums report rows by window. It knows neither rules nor conditions, only
// which columns they read.
//
//	field.go     Field: a number of a report row; Level: whose figures are meant; Columns: the
//	             fields and windows that the conditions of a file read
//	row.go       Row: a report row
//	window.go    Window: the days over which figures are summed
//	figures.go   Figures: the sums of a run, filled row by row
//	sums.go      Sums: those over one window, as ranges where rows are missing
//	outcome.go   Outcomes: numbers from outside, with the days on which they are known
//	present.go   what matters of campaigns as they are now
//	currency.go  the currencies of amounts, and rounding to them
//
// A figure is a range: if days have no row, or rows lack a number, the sum of the others is its
// lower bound (Sums.Range). It is UNKNOWN, which is NaN, if amounts of several currencies would
// be summed, and if a rule has min_days and fewer days have a row.
package figures
