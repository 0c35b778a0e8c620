// Package readable formats numbers, sizes, durations, times and texts for people.
package readable
