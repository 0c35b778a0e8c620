// Package figures sums report rows by window. It knows neither rules nor conditions, only
// which columns they read.
//
//	field.go     Field: a number of a report row; Level: whose figures are meant; Columns: the
//	             fields and windows that the conditions of a file read
//	row.go       Row: a report row
//	window.go    Window: the days over which figures are summed
//	figures.go   Figures: the sums of a run, filled row by row
//	sums.go      Sums: those over one window, and on how many days it must have a row
//	currency.go  the currencies of amounts, and rounding to them
//
// A figure is UNKNOWN, which is NaN, if a row lacks it or if amounts of several currencies
// would be summed. All figures of a window are UNKNOWN if too few of its days have a row
// (Sums.IsComplete); the packages that evaluate conditions and rules check that.
package figures
