// Package readable formats numbers, sizes, durations, times and texts for people, and finds
// the word that was meant by a misspelt one.
package readable
