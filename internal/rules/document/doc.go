// Package document reads YAML files of settings, such as rule files, and finds all problems
// in them, with their places and what to write instead.
//
//	file.go    File: a file and its places; Problem: an error or a warning, also of the parser
//	node.go    mappings and lists
//	scalar.go  texts, words, durations, percentages and time zones
//	reload.go  Reloaded: the configured files and folders, read again when they change
package document
