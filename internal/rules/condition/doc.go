// Package condition has the language of conditions, a subset of CEL: it checks a text and
// translates it to an expression.
//
//	condition.go  Language, Condition: compile a text; what a condition reads
//	rewrite.go    prepares a parsed text for CEL's checker
//	translate.go  a checked text as an expression
//	variable.go   Variable: the metrics that conditions may use, and their expressions
//	mixed.go      && and || without parentheses
//	signs.go      signs, words and numbers that conditions do not have
//	faults.go     Fault: an error, in plain words, and the names that other tools give to metrics
package condition
