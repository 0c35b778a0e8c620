package exports_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
	"unicode/utf16"

	"usher"
	"usher/internal/exports"
)

// FuzzArchive reads zip archives with arbitrary members, a byte of which may be changed:
// they have the rows of their members or are a permanent error.
func FuzzArchive(f *testing.F) {
	f.Add("a.csv", []byte("idfa\n"+id1+"\n"), "b.csv", []byte("idfa\n"+id2+"\n"), zip.Deflate, uint32(0), byte(0))
	f.Add("a/", []byte{}, "../b", []byte(id2), zip.Store, uint32(30), byte(1))
	f.Add("a.zip", []byte("PK\x03\x04"), "__MACOSX/a", []byte("x"), uint16(9), uint32(40), byte(0x80))
	f.Add("a.gz", []byte(gzipped(f, id1)), "", []byte(`{"idfa":"x"}`), zip.Store, uint32(100), byte(0xff))
	f.Fuzz(func(t *testing.T, first string, one []byte, second string, two []byte, method uint16, at uint32, flip byte) {
		var packed bytes.Buffer
		w := zip.NewWriter(&packed)
		for _, m := range []struct {
			name    string
			content []byte
		}{{first, one}, {second, two}} {
			create := w.CreateHeader
			if method != zip.Store && method != zip.Deflate {
				create = w.CreateRaw
			}
			member, err := create(&zip.FileHeader{Name: m.name, Method: method, CompressedSize64: uint64(len(m.content)), UncompressedSize64: uint64(len(m.content))})
			if err != nil {
				t.Skip()
			}
			if _, err := member.Write(m.content); err != nil {
				t.Skip()
			}
		}
		if err := w.Close(); err != nil {
			t.Skip()
		}
		data := packed.Bytes()
		data[int(at)%len(data)] ^= flip
		o, src := export(t, string(data), exports.Options{})
		src.Compression = "zip"
		if _, _, err := read(t, o, src, 1<<40); err != nil && permanent(t, err).Hint == "" {
			t.Errorf("no hint: %v", err)
		}
	})
}

// FuzzUTF16 reads UTF-16 of any kind as the same text in UTF-8.
func FuzzUTF16(f *testing.F) {
	for _, seed := range []string{"", id1 + "\n" + id2, "idfa\r\nä\U0001F600\n", "\ufeff\ufeffx", "x\n\x00\n"} {
		f.Add([]byte(utf16le(seed)), false)
		f.Add([]byte(utf16le(seed)+"\x00"), true)
	}
	f.Add([]byte("\x00\xd8a\x00\n\x00"), false)
	f.Fuzz(func(t *testing.T, data []byte, big bool) {
		order, encoding := binary.ByteOrder(binary.LittleEndian), "utf-16le"
		if big {
			order, encoding = binary.BigEndian, "utf-16be"
		}
		var units []uint16
		for i := 0; i+1 < len(data); i += 2 {
			units = append(units, order.Uint16(data[i:]))
		}
		o, src := export(t, string(data), exports.Options{})
		src.Format, src.Compression, src.Encoding = "text", "none", encoding
		rows, _, err := read(t, o, src, 1<<40)
		if err != nil {
			if permanent(t, err).Hint == "" {
				t.Errorf("no hint: %v", err)
			}
			return
		}
		o, src = export(t, string(utf16.Decode(units)), exports.Options{})
		src.Format, src.Compression, src.Encoding = "text", "none", "utf-8"
		want, _, err := read(t, o, src, 1<<40)
		if err != nil && class(err) == usher.SourceBroken {
			return
		}
		if err != nil || !slices.Equal(rows, want) {
			t.Errorf("rows %q, want %q, %v", rows, want, err)
		}
	})
}
