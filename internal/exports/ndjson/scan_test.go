package ndjson

import (
	"bytes"
	"testing"
)

// TestPlainBytes puts each byte at each position of strings of up to 26 bytes.
func TestPlainBytes(t *testing.T) {
	t.Parallel()
	for size := range 27 {
		for at := range size {
			for c := range 256 {
				data := bytes.Repeat([]byte{'\x80'}, size)
				data[at] = byte(c)
				want := size / 8 * 8
				if at < want && (c < ' ' || c == '"' || c == '\\') {
					want = at
				}
				if got := plainBytes(data); got != want {
					t.Fatalf("%q: %d bytes, want %d", data, got, want)
				}
			}
		}
	}
}
