package unpack_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"usher/internal/exports/places"
	"usher/internal/exports/unpack"
)

// TestUTF16 checks that both byte orders are told and read as UTF-8, with a byte order mark and
// without, in one piece and byte by byte.
func TestUTF16(t *testing.T) {
	t.Parallel()
	const text = "device_id,name\nAB12,Zoë 🎈\n"
	for name, order := range map[string]binary.AppendByteOrder{"utf-16le": binary.LittleEndian, "utf-16be": binary.BigEndian} {
		for _, mark := range []string{"", "\uFEFF"} {
			t.Run(name+mark, func(t *testing.T) {
				t.Parallel()
				var data []byte
				for _, unit := range utf16.Encode([]rune(mark + text)) {
					data = order.AppendUint16(data, unit)
				}
				if got := unpack.DetectEncoding(data); got != name {
					t.Errorf("DetectEncoding: %s", got)
				}
				if got := unpack.Decode(data[:len(data)-3], name); string(got) != text[:len(text)-len("🎈\n")] {
					t.Errorf("Decode without the end: %q", got)
				}
				for _, in := range []io.Reader{bytes.NewReader(data), iotest.OneByteReader(bytes.NewReader(data))} {
					if got, err := io.ReadAll(unpack.NewUTF16Reader(in, places.Origin("export"), name)); string(got) != text || err != nil {
						t.Errorf("NewUTF16Reader: %q, %v", got, err)
					}
				}
				if _, err := io.ReadAll(unpack.NewUTF16Reader(bytes.NewReader(data[:len(data)-1]), places.Origin("export"), name)); err == nil {
					t.Error("half a character at the end is no error")
				}
			})
		}
	}
}

// TestJoinedEncodings checks that text in another encoding behind UTF-16 is an error, and that
// text of other scripts is not.
func TestJoinedEncodings(t *testing.T) {
	t.Parallel()
	const row = "1041,6D92078A-8246-4BA4-AE5B-76104861E7DC,Köln\r\n"
	for name, order := range map[string]binary.AppendByteOrder{"utf-16le": binary.LittleEndian, "utf-16be": binary.BigEndian} {
		units := func(text string) []byte {
			var data []byte
			for _, unit := range utf16.Encode([]rune(text)) {
				data = order.AppendUint16(data, unit)
			}
			return data
		}
		rows, utf8 := units(strings.Repeat(row, 1000)), []byte(strings.Repeat(row, 10))
		for what, c := range map[string]struct {
			data []byte
			want bool // it is read
		}{
			"UTF-8 behind it":             {slices.Concat(rows, utf8), false},
			"UTF-8 behind half a unit":    {slices.Concat(rows, []byte{'x'}, utf8), false},
			"UTF-16 behind half a unit":   {slices.Concat(rows, []byte{'x'}, rows), false},
			"the same encoding behind it": {slices.Concat(rows, rows), true},
			"other scripts":               {slices.Concat(rows, units(strings.Repeat("\u6F22\u5B57\u4EEE\u540D\u4EA4\u3058\u308A\u6587 \uD55C\uAD6D\uC5B4 \u7E26\u66F8\u304D "+strings.Repeat("\u3046", 40)+"\n", 1000))), true},
		} {
			if _, err := io.ReadAll(unpack.NewUTF16Reader(bytes.NewReader(c.data), places.Origin("export"), name)); c.want != (err == nil) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
	}
}

// TestIndexBinary checks what counts as text.
func TestIndexBinary(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"":                 -1,
		"a,b\r\n\tc\f":     -1,
		"Zoë":              -1,
		"a\x00b":           1,
		"ab\x02":           2,
		"a\x01b\x01c\x01d": -1, // Hive's delimiter
		"a\x1Fb\x1Fc\x1Fd": -1, // that of the source
		"0123456789\x02ab": -1, // one in more than ten
	} {
		if got := unpack.IndexBinary([]byte(text), "\x1F"); got != want {
			t.Errorf("%q: %d", text, got)
		}
	}
}
