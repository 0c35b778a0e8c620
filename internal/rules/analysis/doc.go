// Package analysis has what is known about conditions without figures: whether they
// always or never hold, whether two can hold at once, and what is probably a mistake.
//
//	mistakes.go    Rule: likely mistakes in the conditions of a rule; data.go: in min_data
//	overlap.go     Overlap: two conditions that hold at once; Region: the figures of one
//	box.go         the figures with which a condition holds, as boxes; interval.go
//	comparison.go  a comparison in its simplest form
//	sum.go         what it compares: a sum of products; product.go: powers of leaves
//	leaf.go        a number that conditions read
package analysis
