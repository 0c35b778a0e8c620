package unpack

import (
	"bytes"
	"slices"

	"usher/internal/exports/places"
)

// saveSheet is what to do about spreadsheets that are not read.
const saveSheet = "save it as CSV UTF-8 or .xlsx"

// Hints for other formats that are not read.
const (
	writeRows  = "write it as plain text, CSV, NDJSON or Parquet, if need be compressed with gzip or zstd"
	packAgain  = "pack it as a zip archive without a password, or compress the one file with gzip or zstd"
	exportRows = "export the table as CSV or Parquet"

	arrowAsCSV = `write it as CSV: python3 -c 'import pyarrow.ipc, pyarrow.csv; pyarrow.csv.write_csv(pyarrow.ipc.`
	arrowRest  = `("FILE").read_all(), "OUT.csv")'`
	rdsAsCSV   = `write it as CSV: Rscript -e 'write.csv(readRDS("FILE"), "OUT.csv", row.names = FALSE)'`
	rdataAsCSV = `write the data frame in it as CSV: Rscript -e 'write.csv(get(load("FILE")[1]), "OUT.csv", row.names = FALSE)'`
)

// formats are formats that are recognised but not read.
var formats = []struct {
	at                int // the offset of magic
	magic, name, hint string
}{
	{0, "PAR1", "a Parquet file, compressed as a whole", "give the Parquet file as it is: it is compressed inside"},
	{0, "7z\xBC\xAF\x27\x1C", "a 7z archive", packAgain},
	{0, "Rar!\x1A\x07", "a RAR archive", packAgain},
	{257, "ustar", "a tar archive", packAgain + "; or give a folder"},
	{0, "\x1F\x9D", "compressed with compress (.Z)", packAgain},
	{0, "\x78\x9C", "compressed with zlib", packAgain},
	{0, "\x78\xDA", "compressed with zlib", packAgain},
	{0, "\x78\x5E", "compressed with zlib", packAgain},
	{0, "LZIP", "compressed with lzip", packAgain},
	{0, "\x5D\x00\x00", "compressed with LZMA (.lzma)", packAgain},
	{0, "\xFF\x06\x00\x00sNaPpY", "compressed with snappy", packAgain},
	{0, "\xFF\xFE\x00\x00", "UTF-32 text", "write it as UTF-8"},
	{0, "\x00\x00\xFE\xFF", "UTF-32 text", "write it as UTF-8"},
	{0, "ORC", "an ORC file", "write it as Parquet, CSV or NDJSON"},
	{0, "ARROW1\x00\x00", "an Arrow file", arrowAsCSV + "open_file" + arrowRest},
	{0, "\xFF\xFF\xFF\xFF", "an Arrow stream", arrowAsCSV + "open_stream" + arrowRest},
	{0, "FEA1", "a Feather file", `write it as CSV: python3 -c 'import pyarrow.feather, pyarrow.csv; pyarrow.csv.write_csv(pyarrow.feather.read_table("FILE"), "OUT.csv")'`},
	{0, "X\n\x00\x00\x00", "an RDS file of R", rdsAsCSV},
	{0, "A\n2\n", "an RDS file of R", rdsAsCSV},
	{0, "A\n3\n", "an RDS file of R", rdsAsCSV},
	{0, "RDX2\n", "a workspace of R (.RData)", rdataAsCSV},
	{0, "RDX3\n", "a workspace of R (.RData)", rdataAsCSV},
	{0, "Obj\x01", "an Avro file, compressed as a whole", "give the Avro file as it is: it is compressed inside"},
	{0, "SEQ", "a Hadoop sequence file", "write it as Parquet, CSV or NDJSON"},
	{0, "SQLite format 3\x00", "an SQLite database", exportRows},
	{0, "%PDF-", "a PDF document", writeRows},
	{0, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "an old spreadsheet or document (.xls)", saveSheet},
}

// textMagic are the magic numbers that text may begin with, too.
var textMagic = []string{"ORC", "SEQ", "%PDF-", "\x78\x9C", "\x78\xDA", "\x78\x5E", "LZIP"}

// RefuseForeign refuses a file that begins as one of a foreign format does.
func RefuseForeign(from places.Origin, head []byte) error {
	const unread = "it is %s, which usher does not read"
	if bytes.HasPrefix(head, []byte("\xD0\xCF\x11\xE0")) && bytes.Contains(head, spaced("EncryptedPackage")) {
		return from.Broken("save it without a password", unread, "an encrypted workbook")
	}
	for _, f := range formats {
		if len(head) < f.at || !bytes.HasPrefix(head[f.at:], []byte(f.magic)) {
			continue
		}
		if !slices.Contains(textMagic, f.magic) || IndexBinary(head, "") >= 0 {
			return from.Broken(f.hint, unread, f.name)
		}
	}
	return nil
}

// spaced returns a name as the directory of a compound file has it, in UTF-16LE.
func spaced(name string) []byte {
	var out []byte
	for _, c := range []byte(name) {
		out = append(out, c, 0)
	}
	return out
}

// markups are the beginnings of documents of text that are no rows, in lower case.
var markups = []struct{ begin, name, hint string }{
	{"<!doctype html", "an HTML page", saveSheet},
	{"<html", "an HTML page", saveSheet},
	{"<head", "an HTML page", saveSheet},
	{"<meta", "an HTML page", saveSheet},
	{"<table", "an HTML page", saveSheet},
	{"<tr>", "an HTML page", saveSheet},
	{"<?xml", "an XML document", saveSheet},
	{"{\\rtf", "an RTF document", saveSheet},
	{"-- mariadb dump", sqlDump, exportTable},
	{"-- mysql dump", sqlDump, exportTable},
	{"/*m!", sqlDump, exportTable},
	{"/*!", sqlDump, exportTable},
	{"--\n-- postgresql database dump", sqlDump, exportTable},
	{"pragma foreign_keys=", sqlDump, exportTable},
	{"begin transaction;", sqlDump, exportTable},
	{"create table ", sqlDump, exportTable},
	{"insert into ", sqlDump, exportTable},
}

const (
	sqlDump     = "a dump of SQL statements"
	exportTable = "export the table as CSV: SELECT … INTO OUTFILE in MySQL and MariaDB, \\copy … CSV HEADER in psql, .mode csv in sqlite3"
)

// IsDrawn reports whether a line is the border of a table, or of a row, as clients of databases
// draw it for people.
func IsDrawn(line []byte) bool {
	return slices.ContainsFunc([]string{"+--", "+==", "┌", "╭", "╔", "-[ RECORD 1 ]", "*********"}, func(border string) bool { return bytes.HasPrefix(line, []byte(border)) })
}

// RefuseMarkup refuses HTML, which some programs save as .xls, XML and dumps of SQL. text has
// no byte order mark.
func RefuseMarkup(from places.Origin, text []byte) error {
	begin := bytes.ToLower(bytes.TrimLeft(text, " \t\r\n"))
	for _, m := range markups {
		if bytes.HasPrefix(begin, []byte(m.begin)) {
			return from.Broken(m.hint, "it is %s, which usher does not read", m.name)
		}
	}
	return nil
}
