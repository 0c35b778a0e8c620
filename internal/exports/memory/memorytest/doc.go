// Package memorytest has exports of two days for tests: pairs of which the second would change what is
// uploaded, and pairs of which it would not.
//
//	pairs.go   Changes, Honest: the pairs
//	table.go   tables of customers, and the formats in which they are written
package memorytest
