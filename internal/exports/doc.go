// Package exports opens CRM exports, cuts them into parts, and reads a part as blocks of one value a
// line.
//
//	opener.go         Opener: its options; Open, Sample
//	plan.go           Plan: a file; Understood: the plan in the form that a job's record shows
//	folder.go         the plan of a folder
//	cut.go            parts: byte ranges, row groups, files
//	inline.go         ids that the job contains
//	beginning.go      the first 64 KiB of a file as text, and samples from several places of it
//	parquetlayout.go  the columns of Parquet, which has no text
//	survey.go         Survey: counts of all columns of a sample, for an inspection
//
// Reading:
//
//	reader.go         Reader: a part as blocks; the chain input → compression → utf16 → rows
//	series.go         the files of a folder, or of a zip archive, as one
//	stream.go         the text of a compressed file, read in a goroutine; checks it to its end
//	parquetrows.go    a column of Parquet as blocks, and columns of types beside it
//	avrorows.go       an Avro file, which package avro reads as NDJSON
//	workbook.go       a sheet of an .xlsx workbook, which package xlsx reads as CSV
//	table.go          Table: the cells of an export without device ids, whole
//
// The packages below it go one way. Package places opens files, and package unpack turns their bytes
// into text and refuses formats that are not read. Package rows has lines, cells and blocks, and
// packages csv, ndjson, avro, parquet and xlsx read the formats. Package names says what names of
// columns mean. By it, package choose says which column has the device ids, and package watch compares
// every row with that. Package layout finds out how a text is laid out.
//
// The memory of a reader is bounded by the Options (a line, a block, the window of zstd), by package
// unpack (how much a file expands) and by package parquet (pages and footers, in all readers together).
// TestBombs and BenchmarkMemory in cmd/usher measure it.
//
// What is assumed from the beginning and the samples is checked on every row.
package exports
