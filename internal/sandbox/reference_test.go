package sandbox

import (
	"bytes"
	"encoding/hex"
	"io"
)

// referenceList reads a list of hashes the plain way.
func referenceList(text []byte) (digests []byte, ok bool) {
	items := bytes.Split(text, []byte(","))
	if last := len(items) - 1; last > 0 && len(items[last]) <= itemLimit && len(bytes.TrimSpace(items[last])) == 0 {
		items = items[:last] // one comma at the end is well
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

// dribble reads a few bytes at a time.
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
