// Package layout finds out how an export is laid out: its format, its dialect, its header, and what
// stands before it. It looks at a Head, the beginning of a file and samples of it as text, whatever
// the file is; package choose then says which of the columns has the device ids. Both write what they
// have found into a usher.Plan.
//
//	head.go       Head: the beginning, and windows of the rest; their lines and records
//	format.go     Layout: the whole plan of a text; the format; Survey: the columns, for people
//	dialect.go    delimiter, quote and escape of CSV
//	records.go    the records of a head, what they have in common, and the words that tell a row
//	              from a further header
//	preamble.go   lines before the header
//	csv.go        header and columns of CSV; json.go: paths of NDJSON, JSON and Avro; list.go: plain
//	              lists; sheet.go: sheets of a workbook, as CSV
//	own.go        Own: header and columns of a further file of a folder or an archive
//	blanks.go     text that is no list: columns that blanks separate, keys and values
//	misread.go    text that is not what it seems: dumps, JSON in cells, PHP's quotes, NUL
//	commented.go  rows that were commented out
//
// The package never guesses. If a text can be read in two ways that lead to different rows, it is
// source_broken, with a hint that names the field of the source to set.
package layout
