// Package readable formats numbers, sizes, durations, times and texts for people, and finds
// the word that was meant by a misspelt one.
//
//	numbers.go  numbers, sizes, durations and times
//	text.go     texts, also of strangers, and misspelt words
//	writers.go  writers that escape what is written, and CSV
package readable
