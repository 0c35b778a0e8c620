// Package csv reads a column of CSV, and beside it columns with the types of ids.
//
//	reader.go     Reader: the cells of a column as blocks
//	known.go      records whose structure is known, read many at a time
//	record.go     the other records, read one at a time
//	faults.go     records that contradict the dialect, and the errors for them
//	seam.go       headers and rows of another export that was appended, or records of NDJSON
//	gaps.go       ids in another column where the wanted one has none
//	quote.go      Dialect: delimiter, quote and escape; where a field ends and what its text is,
//	              in each dialect; SplitRecord
//	structure.go  where the fields of a piece of text end, by bit masks
//	mask.go       the masks: one bit for each byte of text, without delimiters and line ends
//	              within quotes; computed by vector instructions if the CPU has them:
//	              mask_amd64.go, mask_other.go
//
// In the dialect of RFC 4180, a field that begins with a quote ends at the next quote
// that is not doubled, and a quote inside any other field is an ordinary character. Text
// between a closing quote and the delimiter is an error: the record is malformed, or the
// export is source_broken if the dialect is only assumed.
package csv
