package sandbox

import (
	"bytes"
	"encoding/hex"
	"io"
	"strings"
	"testing"

	"usher/hashing"
	"usher/internal/sandbox/operations"
)

func FuzzList(f *testing.F) {
	const a = "f2d1311ca5c1ecb214c19a26e9ddbad0"
	for _, text := range []string{a, a + "," + a, a + ",", a + ",,", "\r\n" + a + " ,\n" + a + "\n", a[1:], a + a, "", ","} {
		f.Add([]byte(text), uint8(7))
	}
	f.Add([]byte(strings.Repeat(a+",9f89c84a559f573636a47ff8daed0d33,", 600)), uint8(255)) // long enough for parseRun
	f.Add([]byte(strings.Repeat(a+",", 9)+" "+strings.Repeat(a+",", 9)+"x"), uint8(255))
	f.Fuzz(func(t *testing.T, text []byte, step uint8) {
		ids := &operations.IDs{}
		err := (&itemReader{listOptions: listOptions{field: "users"}, ids: ids}).read(&dribble{text, int(step)})
		want, ok := referenceList(text)
		if (err == nil) != ok || ok && string(ids.Digests) != string(want) {
			t.Errorf("%q: got %x, %v; want %x, %v", text, ids.Digests, err, want, ok)
		}
		if !ok {
			return
		}
		var print hashing.Fingerprint
		for i := 0; i < len(want); i += 16 {
			print.Add(hashing.Digest(want[i:]))
		}
		if ids.Fingerprint != print {
			t.Errorf("%q: fingerprint %v, want %v", text, ids.Fingerprint, print)
		}
	})
}

// referenceList reads a list of hashes in the simplest way.
func referenceList(text []byte) (digests []byte, ok bool) {
	items := bytes.Split(text, []byte(","))
	if last := len(items) - 1; last > 0 && len(items[last]) <= itemLimit && len(bytes.TrimSpace(items[last])) == 0 {
		items = items[:last] // one comma at the end is allowed
	}
	for _, item := range items {
		if len(item) > itemLimit {
			return nil, false
		}
		d, err := hex.DecodeString(string(bytes.TrimSpace(item)))
		if err != nil || len(d) != 16 {
			return nil, false
		}
		digests = append(digests, d...)
	}
	return digests, true
}

// dribble is a reader that returns a few bytes at a time.
type dribble struct {
	rest []byte
	step int
}

func (d *dribble) Read(p []byte) (int, error) {
	if len(d.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, d.rest[:min(d.step+1, len(d.rest))])
	d.rest = d.rest[n:]
	return n, nil
}
