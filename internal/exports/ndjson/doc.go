// Package ndjson reads the values at a path of JSON records: one a line (NDJSON), or
// the elements of arrays and the objects of a JSON document.
//
//	reader.go    Reader: the values of a part as blocks
//	seam.go      signs of another export: records on one line, and ids in other fields
//	document.go  Document: a stream of JSON as records
//	finder.go    Finder: the values at a path of one record
//	beside.go    the values that stand beside the ids of a record
//	fields.go    fields: whether a record has a field that none before it had
//	scan.go      scanner: strings with their escapes, numbers and words
package ndjson
