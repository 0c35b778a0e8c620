// Package exports reads CRM exports: it detects what an export is, cuts it into parts,
// and reads a part as blocks of one value a line.
//
// Plan and Open:
//
//	opener.go         Opener: its options; Open, Sample
//	plan.go           Plan: a file
//	folder.go         the plan of a folder; series.go reads its files as one
//	cut.go            parts: byte ranges, row groups, files
//	inline.go         ids that the job contains
//
// Detection:
//
//	head.go           the first 64 KiB as text; detect.go: the format
//	magic.go          compressions and foreign formats, by their first bytes
//	encoding.go       UTF-8, UTF-16, and what is not text
//	delimiter.go      the delimiter of CSV
//	column.go         the column of device ids: choose
//	layoutcsv.go      header and columns of CSV; layouttext.go, layoutndjson.go and
//	                  layoutparquet.go: of the other formats
//	names.go          the usual names of columns of device ids
//	shape.go          what looks like a device id
//	survey.go         Survey: what a plan does not use
//
// Reading:
//
//	reader.go         Reader: a part as blocks; the chain input → expand → utf16 → rows
//	expand.go         gzip and zstd, with a limit for bombs; ahead.go: in a goroutine
//	archive.go        zip; members.go reads its files as one
//	utf16.go          UTF-16 as UTF-8
//	parquetrows.go    a column of Parquet as blocks
//
// Below it, package places opens files, package rows has lines, cells and blocks, and
// packages csv, ndjson and parquet read the formats.
//
// The package never guesses. If a file can be read in two ways that lead to other
// rows, it is source_broken, with a hint that names the field of the source to set.
package exports
