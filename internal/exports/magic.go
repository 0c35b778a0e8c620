package exports

import "bytes"

// sniffCompression returns gzip, zstd or none, by the first bytes.
func sniffCompression(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte{0x1F, 0x8B}):
		return "gzip"
	case bytes.HasPrefix(head, []byte{0x28, 0xB5, 0x2F, 0xFD}):
		return "zstd"
	case len(head) >= 4 && head[0]&0xF0 == 0x50 && bytes.Equal(head[1:4], []byte{0x2A, 0x4D, 0x18}):
		return "zstd" // a skippable frame before the data
	}
	return "none"
}

// foreign is a format that is recognised and not read.
type foreign struct {
	magic string
	name  string
	later bool // a later version reads it
}

var foreigners = []foreign{
	{"PK\x03\x04", "a zip archive (or a spreadsheet, .xlsx)", true},
	{"PK\x05\x06", "an empty zip archive", true},
	{parquetMagic, "a Parquet file, compressed as a whole", false},
	{"BZh", "compressed with bzip2", false},
	{"\xFD7zXZ\x00", "compressed with xz", false},
	{"7z\xBC\xAF\x27\x1C", "a 7z archive", false},
	{"\x04\x22\x4D\x18", "compressed with lz4", false},
	{"\xFF\xFE\x00\x00", "UTF-32 text", false},
	{"\x00\x00\xFE\xFF", "UTF-32 text", false},
	{"ORC", "an ORC file", false},
	{"Obj\x01", "an Avro file", false},
	{"%PDF-", "a PDF document", false},
	{"\xD0\xCF\x11\xE0", "an old spreadsheet or document (.xls)", false},
}

// refuseForeign returns source_broken for what is recognised and not read.
func refuseForeign(o origin, head []byte) error {
	const hint = "write it as plain text, CSV or NDJSON, if need be compressed with gzip or zstd"
	for _, f := range foreigners {
		if !bytes.HasPrefix(head, []byte(f.magic)) {
			continue
		}
		if f.later {
			return o.broken(hint, "it is %s, which this version does not read yet", f.name)
		}
		return o.broken(hint, "it is %s, which usher does not read", f.name)
	}
	return nil
}
