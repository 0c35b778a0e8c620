// Package exports reads CRM exports: it detects what an export is, cuts it into parts,
// and reads a part as blocks of one value a line.
//
// Plan and Open:
//
//	opener.go         Opener: its options; Open, Sample
//	plan.go           Plan: a file; Understood: the plan in the form that a job's record shows
//	folder.go         the plan of a folder
//	cut.go            parts: byte ranges, row groups, files
//	inline.go         ids that the job contains
//
// Detection:
//
//	head.go           the first 64 KiB as text; detect.go: the format
//	dialect.go        delimiter, quote and escape of CSV
//	preamble.go       lines before the header
//	records.go        the records of a head, what they have in common, and the words that tell
//	                  a row from a further header
//	samples.go        rows from several places of the export
//	blanks.go         text that is no list: columns that blanks separate, keys and values
//	misread.go        text that is not what it seems: dumps, JSON in cells, PHP's quotes, NUL
//	commented.go      rows that were commented out
//	layoutcsv.go      header and columns of CSV; layouttext.go, layoutndjson.go and
//	                  layoutparquet.go: of the other formats
//	ownlayout.go      header and columns of a further file of a folder or an archive
//	survey.go         Survey: counts of all columns of a sample, for an inspection
//
// Reading:
//
//	reader.go         Reader: a part as blocks; the chain input → compression → utf16 → rows
//	series.go         the files of a folder, or of a zip archive, as one
//	stream.go         the text of a compressed file, read in a goroutine; checks it to its end
//	parquetrows.go    a column of Parquet as blocks, and columns of types beside it
//	avrorows.go       an Avro file, which package avro reads as NDJSON
//	table.go          Table: the cells of an export without device ids, whole
//	workbook.go       a sheet of an .xlsx workbook, which package xlsx reads as CSV; sheets.go: its
//	                  other sheets
//
// Below it, package places opens files, package unpack turns their bytes into text and refuses
// formats that are not read, package rows has lines, cells and blocks, and packages csv, ndjson,
// avro, parquet and xlsx read the formats. Package choose chooses the column of device ids, and
// package watch compares every row with it.
//
// The package never guesses. If a file can be read in two ways that lead to different
// rows, it is source_broken, with a hint that names the field of the source to set. What
// is assumed from the head and the samples is checked on every row.
package exports
