package exports

import (
	"bytes"

	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
)

// detectCompression returns zip, gzip, zstd or none, by the first bytes.
func detectCompression(head []byte) string {
	switch {
	case isZip(head):
		return "zip"
	case bytes.HasPrefix(head, []byte{0x1F, 0x8B}):
		return "gzip"
	case bytes.HasPrefix(head, []byte{0x28, 0xB5, 0x2F, 0xFD}):
		return "zstd"
	case len(head) >= 4 && head[0]&0xF0 == 0x50 && bytes.Equal(head[1:4], []byte{0x2A, 0x4D, 0x18}):
		return "zstd" // a skippable frame before the data
	}
	return "none"
}

// foreignFormats are formats that are recognised but not read.
var foreignFormats = []struct{ magic, name string }{
	{parquet.Magic, "a Parquet file, compressed as a whole"},
	{"BZh", "compressed with bzip2"},
	{"\xFD7zXZ\x00", "compressed with xz"},
	{"7z\xBC\xAF\x27\x1C", "a 7z archive"},
	{"\x04\x22\x4D\x18", "compressed with lz4"},
	{"\xFF\xFE\x00\x00", "UTF-32 text"},
	{"\x00\x00\xFE\xFF", "UTF-32 text"},
	{"ORC", "an ORC file"},
	{"Obj\x01", "an Avro file"},
	{"%PDF-", "a PDF document"},
	{"\xD0\xCF\x11\xE0", "an old spreadsheet or document (.xls)"},
}

// refuseForeign refuses a foreign format.
func refuseForeign(from places.Origin, head []byte) error {
	for _, f := range foreignFormats {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return from.Broken("write it as plain text, CSV or NDJSON, if need be compressed with gzip or zstd", "it is %s, which usher does not read", f.name)
		}
	}
	return nil
}
