// Package csv reads a column of CSV, and beside it a column with the types of ids.
//
//	reader.go     Reader: the cells of a column as blocks. Records whose structure
//	              is known are read many at a time
//	record.go     the other records, read one at a time
//	quote.go      quotes: where a quoted field ends and what it holds
//	delimiter.go  the delimiters, and the line that declares one
//	structure.go  where the fields of a piece of text end, by bit masks
//	mask.go       the masks: 64 bytes of text a word, by vectors where the CPU has them
//
// Quotes follow RFC 4180: a field that begins with a quote ends at the next quote
// that is not doubled. A quote inside any other field is an ordinary character, and
// so is text between a closing quote and the delimiter.
package csv
