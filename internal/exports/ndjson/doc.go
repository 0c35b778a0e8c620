// Package ndjson reads the values at a path of newline-delimited JSON.
//
//	reader.go  Reader: the values of a part as blocks
//	finder.go  Finder: the values at a path of one record
//	scan.go    scanner: strings, numbers and words
//	escape.go  escapes in strings
package ndjson
