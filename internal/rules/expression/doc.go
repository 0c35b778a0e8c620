// Package expression has the expressions that conditions are made of. It evaluates them
// over figures, column by column, and explains their values.
//
//	expression.go  Expression: an operator and its arguments
//	format.go      an expression as text; the names of metrics
//	evaluate.go    Evaluation: the values of the conditions of a rule; columns of the
//	               campaign, of the account and of other windows
//	operators.go   the operators over columns of numbers
//	firstday.go    windows without a complete day
//	range.go       Range: what is known of a number, if rows are missing
//	target.go      targets of campaigns, from a table
//	data.go        Data: what rules share: ranks
//	currency.go    how a value depends on currencies
//	explain.go     Explainer: the values behind a vote, and what is missing
//
// A value is a number, or the range in which it lies; false and true are 0 and 1. It is
// UNKNOWN, which is NaN, if a column is, if it divides by zero or by a range, or if it is not
// finite. A comparison is UNKNOWN if the ranges do not decide. An && or || is UNKNOWN only if
// no side decides alone.
package expression
