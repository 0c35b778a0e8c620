package files

import (
	"bytes"
	"crypto/md5" //nolint:gosec // the platform's user ids are MD5 digests
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"usher/hashing"
	"usher/internal/sandbox/envelope"
)

const (
	readBuffer = 256 << 10
	itemLimit  = 1 << 10 // bytes between two commas, whitespace included
)

// itemReader reads ids separated by commas. It ignores whitespace and line ends
// around an id, and one comma at the end of the file. Everything else between
// two commas must be an id.
type itemReader struct {
	ListOptions
	ids   *IDs
	count int64

	run [512]hashing.Digest // the result of hashing.ParseJoined
}

func (l *itemReader) read(r io.Reader) error {
	buffer := make([]byte, readBuffer)
	rest := 0 // bytes of an item that is not complete yet
	before := l.count
	for {
		n, err := r.Read(buffer[rest:])
		data := buffer[:rest+n]
		used, bad := l.parse(data)
		if bad != nil {
			return bad
		}
		rest = copy(buffer, data[used:])
		switch {
		case errors.Is(err, io.EOF):
			return l.finish(buffer[:rest], before)
		case err != nil:
			return envelope.Truncated(err, "the file of field "+l.Field+" ended early")
		case rest > itemLimit:
			return l.refuse()
		}
	}
}

// parse reads the items of data that end in a comma and returns their length.
func (l *itemReader) parse(data []byte) (int, error) {
	from := 0
	for {
		from += l.parseRun(data[from:])
		comma := bytes.IndexByte(data[from:], ',')
		if comma < 0 {
			return from, nil
		}
		if err := l.parseItem(data[from : from+comma]); err != nil {
			return from, err
		}
		from += comma + 1
	}
}

// parseRun reads the items at the beginning of data that have the usual form, 32 hex
// characters and a comma, and returns their length.
func (l *itemReader) parseRun(data []byte) (used int) {
	for {
		n := hashing.ParseJoined(l.run[:], data[used:])
		digests := l.run[:n]
		if !l.FingerprintOnly {
			for i := range digests {
				l.ids.Digests = append(l.ids.Digests, digests[i][:]...)
			}
		}
		l.ids.Fingerprint.AddAll(digests)
		l.count += int64(n)
		used += n * (hashing.HexLen + 1)
		if n < len(l.run) {
			return used
		}
	}
}

// finish reads the last item of a file. before is the count before this file.
func (l *itemReader) finish(last []byte, before int64) error {
	if len(last) > itemLimit || len(bytes.TrimSpace(last)) > 0 {
		return l.parseItem(last)
	}
	if l.count == before {
		return envelope.Invalid(l.Field, "the file has no ids")
	}
	return nil
}

func (l *itemReader) parseItem(text []byte) error {
	if len(text) > itemLimit {
		return l.refuse()
	}
	text = bytes.TrimSpace(text)
	d, ok := ParseDigest(text)
	switch {
	case ok:
	case l.AnyID && len(text) > 0:
		d = md5.Sum(text) //nolint:gosec // not for security
	default:
		return l.refuse()
	}
	l.count++
	if !l.FingerprintOnly {
		l.ids.Digests = append(l.ids.Digests, d[:]...)
	}
	l.ids.Fingerprint.Add(d)
	return nil
}

// refuse returns an error that names the next item by its position, never by its content.
func (l *itemReader) refuse() error {
	return envelope.Invalid(l.Field, fmt.Sprintf("item %d is not a hash of 32 hex characters; hashes are delimited by one comma, nothing was applied", l.count+1))
}

// ParseDigest reads 32 hex characters of either case.
func ParseDigest(text []byte) (d hashing.Digest, ok bool) {
	if len(text) != hashing.HexLen {
		return d, false
	}
	_, err := hex.Decode(d[:], text)
	return d, err == nil
}
