package rules

import "usher/internal/rules/document"

// Problem is an error or a warning about a rule file.
type Problem = document.Problem

// Errors reports whether one of the problems is an error.
func Errors(problems []Problem) bool { return document.Errors(problems) }

// file is a rule file while it is read, and the problems found so far.
type file struct{ *document.File }
