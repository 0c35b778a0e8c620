// Package exports reads a CRM export, wherever it lies and whatever its format:
// it opens it, finds out what it is, cuts it into parts, and yields blocks of
// one value a line.
//
// In reading order:
//
//	opener.go      the door: Options, New, Plan, Open, Sample
//	places.go      where exports may lie, and the walk that keeps to it
//	location.go    what a source's URL names
//	addresses.go   which addresses https may connect to
//	file.go        a file that was opened, and whether it is still the planned one
//	content.go     its bytes at any offset, and the stamp that tells its state
//	ranged.go      a file over a network: by ranges, again in place where it breaks off
//	feed.go        one answer, read ahead; patience.go: for how long
//	web.go         https servers; page.go: what one answers
//	buckets.go     object stores; object.go: what lies in one, pinned
//	probe.go       how a remote place answers
//	origin.go      errors: refused, missing, broken, each with what to do
//
//	sniff.go       the first 64 KiB → a plan: compression, encoding, format
//	magic.go       compression and foreign formats by their first bytes
//	encoding.go    UTF-8 or UTF-16, and what is no text at all
//	layout.go      header and column of CSV and of a plain list; delimiter.go
//	fields.go      NDJSON: the path of the wanted value
//	headers.go     the usual names of a column of device ids
//	shape.go       what looks like a device id, as far as a guess needs it
//	cut.go         byte ranges
//	survey.go      what else an export has, for people who look at one
//
//	reader.go      a part as blocks; the chain input → expand → utf16 → lines
//	input.go       bytes by pread
//	expand.go      gzip and zstd, with a limit against bombs; ahead.go: on a
//	               goroutine of its own
//	archive.go     zip, whose files members.go reads as one export
//	utf16.go       UTF-16 → UTF-8
//	lines.go       a stream cut at line ends; over-long lines become one token
//	text.go        plain text: passes untouched
//	table.go       CSV: a column; structure.go finds where fields end, 64 bytes at a
//	               time by mask.go; field.go splits what is quoted oddly
//	records.go     NDJSON: a path; json.go scans
//	parquet.go     Parquet: a column's entries; layoutparquet.go chooses it
//	footer.go      what a Parquet file says of itself, in thrift.go's protocol
//	chunk.go       a column's pages; codecs.go: their compressions; pages.go: their
//	               memory; pagehead.go, values.go, hybrid.go, delta.go: their encodings
//	rowtype.go     which type of id a row has, where a column says it
//	cell.go        a cell → its rows; space.go: what surrounds a value
//	inline.go      ids that stand in the job itself
//	blocks.go      recycled buffers
//
// What it never does: guess. Where a file can be read in two ways that lead to
// other rows, it ends with source_broken and a hint that names the field of the
// source to set.
package exports
