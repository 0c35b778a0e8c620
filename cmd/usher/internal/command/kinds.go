package command

import (
	"usher"
	"usher/queues/schema"
)

// Classes are the reasons why jobs die.
func Classes() []string {
	var words []string
	for _, c := range []usher.Class{
		usher.InvalidJob, usher.SourceMissing, usher.SourceRefused, usher.SourceBroken, usher.Unauthorized, usher.Forbidden,
		usher.NotFound, usher.Refused, usher.Shrink, usher.TooManyRejects, usher.Exhausted, usher.Poison, usher.Deadline,
	} {
		words = append(words, string(c))
	}
	return words
}

// Kinds are the kinds of job, as flags and arguments take them.
func Kinds() []string {
	var words []string
	for _, kind := range new(schema.Schemas).Kinds() {
		words = append(words, string(kind))
	}
	return words
}
