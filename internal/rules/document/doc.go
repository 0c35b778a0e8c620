// Package document reads YAML files of settings, such as rule files, and finds all problems
// in them, with their places and what to write instead.
//
//	file.go     File: a file, its places and its problems
//	node.go     mappings and lists
//	scalar.go   texts, words, durations and percentages
//	zone.go     time zones
//	yaml.go     errors of the YAML parser in plain words
//	problem.go  Problem: an error or a warning
//	paths.go    the paths of the configured files and folders
//	reload.go   Reloaded: these files, read again when they change
package document
