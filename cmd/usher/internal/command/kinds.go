package command

import (
	"usher"
	"usher/queues/schema"
)

// Classes returns the classes of dead letters.
func Classes() []string {
	var words []string
	for _, c := range usher.Classes() {
		words = append(words, string(c))
	}
	return words
}

// Kinds returns the kinds of jobs.
func Kinds() []string {
	var words []string
	for _, kind := range new(schema.Schemas).Kinds() {
		words = append(words, string(kind))
	}
	return words
}
