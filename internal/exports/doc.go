// Package exports reads a CRM export, wherever it lies and whatever its format:
// it opens it, finds out what it is, cuts it into parts, and yields blocks of
// one value a line.
//
// In reading order:
//
//	opener.go       the door: Options, New, Plan, Open, Sample
//	sniff.go        the first 64 KiB → a plan: compression, encoding, format
//	magic.go        compression and foreign formats by their first bytes
//	encoding.go     UTF-8 or UTF-16, and what is not text
//	layout.go       header and column of CSV and of a plain list; delimiter.go
//	fields.go       NDJSON: the path of the wanted value
//	layoutparquet.go  Parquet: the wanted column, and parts of row groups
//	headers.go      the usual names of a column of device ids
//	shape.go        what looks like a device id, as far as a guess needs it
//	cut.go          byte ranges
//	planfolder.go   the plan of a folder; series.go: its files as one export
//	survey.go       what else an export has, for people who look at one
//
//	reader.go       a part as blocks; the chain input → expand → utf16 → lines
//	expand.go       gzip and zstd, with a limit against bombs; ahead.go: on a
//	                goroutine of its own
//	archive.go      zip, whose files members.go reads as one export
//	utf16.go        UTF-16 → UTF-8
//	parquetrows.go  a column of Parquet as blocks
//	inline.go       ids that stand in the job itself
//
// Package places opens files, package rows has lines, cells and blocks, and
// packages csv, ndjson and parquet read the formats.
//
// The package never guesses. If a file can be read in two ways that lead to
// other rows, it ends with source_broken and a hint that names the field of the
// source to set.
package exports
