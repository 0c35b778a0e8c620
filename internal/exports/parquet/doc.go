// Package parquet reads a column of device ids from a Parquet file, and beside it a
// column with the types of the ids.
//
//	footer.go   ReadFooter: the columns and row groups of a file
//	schema.go   Column: the schema's tree as a list of columns
//	reader.go   Reader: the entries of a column, over row groups
//	chunk.go    a column's entries of one row group
//	page.go     a page: its levels, its dictionary, its values
//	header.go   the header of a page
//	values.go   the encodings of values; integers.go: of integers
//	numbers.go  booleans and integers beside the ids, as words
//	codecs.go   the compressions
//	memory.go   Memory: the buffers of pages
//	thrift.go   the protocol of footers and headers
//
// The reader allocates nothing because a file claims a size: every size is checked
// against the bytes that are there, and against a limit. See
// docs/decisions/0001-parquet-reader.md for why usher has its own reader.
package parquet
