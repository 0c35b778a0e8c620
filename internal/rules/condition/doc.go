// Package condition has the language of conditions: it reads a text, checks it and returns an
// expression.
//
//	condition.go  Condition: compile a text; what a condition reads
//	token.go      the words, numbers and signs of a text
//	foreign.go    signs, words and numbers of other tools, and what to write instead
//	parse.go      the tokens as an expression, and its types
//	variable.go   Variable: the metrics that conditions may use, and their expressions
//	faults.go     Fault: an error, in plain words, and the names that other tools give to metrics
package condition
