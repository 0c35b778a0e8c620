package ledger

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"gocloud.dev/blob"
)

// reader reads the records of a file whose first bytes are in a range, in order. It
// verifies what it reads: the records of each first byte when it has read all of them.
type reader struct {
	name    string
	file    *blob.Reader
	trailer *trailer
	to      int // the range ends before this first byte

	buffer []byte
	at     int // of the next record in buffer
	left   int64
	first  int    // of the records that are being read
	rest   uint32 // of these records, how many are not in a buffer yet
	sum    uint32

	begun bool
	last  key
}

// trailerOf reads the trailer of a file. If the size is unknown (0), it is asked for. A
// checksum of 0 is not compared.
func (s *Store) trailerOf(ctx context.Context, f File) (*trailer, error) {
	if f.Size == 0 {
		a, err := s.bucket.Attributes(ctx, f.Name)
		if err != nil {
			return nil, readError(f.Name, err)
		}
		f.Size = a.Size
	}
	if f.Size < int64(trailerSize) {
		return nil, &DamagedError{f.Name, fmt.Sprintf("has only %d bytes", f.Size)}
	}
	r, err := s.bucket.NewRangeReader(ctx, f.Name, f.Size-int64(trailerSize), int64(trailerSize), nil)
	if err != nil {
		return nil, readError(f.Name, err)
	}
	defer func() { _ = r.Close() }() // only read
	encoded, err := io.ReadAll(io.LimitReader(r, int64(trailerSize)))
	if err != nil {
		return nil, readError(f.Name, err)
	}
	t, err := decodeTrailer(encoded, f.Size)
	switch {
	case r.Size() != f.Size:
		return nil, &DamagedError{f.Name, fmt.Sprintf("has %d bytes, not %d", r.Size(), f.Size)}
	case len(encoded) < trailerSize:
		return nil, readError(f.Name, io.ErrUnexpectedEOF)
	case err != nil:
		return nil, &DamagedError{f.Name, err.Error()}
	case f.Checksum != 0 && checksum(encoded) != f.Checksum:
		return nil, &DamagedError{f.Name, "has another checksum than its generation says"}
	}
	return t, nil
}

// open opens the records of a file whose first byte is in from..to-1. buffer is the number
// of bytes that are read at once. The caller closes the reader.
func (s *Store) open(ctx context.Context, f File, from, to, buffer int) (*reader, error) {
	t, err := s.trailerOf(ctx, f)
	if err != nil {
		return nil, err
	}
	buffer = int(min(int64(buffer), t.between(from, to)*int64(t.width)))
	return s.openRecords(ctx, f.Name, t, from, to, make([]byte, 0, max(buffer, t.width)))
}

// openInto is open with a buffer of the caller, whose capacity is used until the reader is
// closed.
func (s *Store) openInto(ctx context.Context, f File, from, to int, buffer []byte) (*reader, error) {
	t, err := s.trailerOf(ctx, f)
	if err != nil {
		return nil, err
	}
	return s.openRecords(ctx, f.Name, t, from, to, buffer)
}

func (s *Store) openRecords(ctx context.Context, name string, t *trailer, from, to int, buffer []byte) (*reader, error) {
	r := &reader{name: name, trailer: t, to: to, left: t.between(from, to), first: from, rest: t.counts[from]}
	if r.left == 0 {
		return r, nil
	}
	var err error
	width := int64(t.width)
	r.file, err = s.bucket.NewRangeReader(ctx, name, t.between(0, from)*width, r.left*width, &blob.ReaderOptions{})
	if err != nil {
		return nil, readError(name, err)
	}
	r.buffer = buffer[: 0 : cap(buffer)/t.width*t.width] // whole records
	return r, nil
}

func (r *reader) close() {
	if r.file != nil {
		_ = r.file.Close() // only read
	}
}

// next returns the next record, or io.EOF after the last one.
func (r *reader) next() (key, Day, error) {
	if r.at == len(r.buffer) {
		if err := r.fill(); err != nil {
			return key{}, 0, err
		}
	}
	b := r.buffer[r.at:]
	k := key{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
	day := r.day(r.at)
	r.at += r.trailer.width
	if r.begun && !r.last.less(k) {
		return key{}, 0, &DamagedError{r.name, "is not in order"}
	}
	r.begun, r.last = true, k
	return k, day, nil
}

// appendUntil appends the keys of the records in the buffer up to last, which it includes, and
// their days if days is not nil. It reads no further records.
func (r *reader) appendUntil(last key, keys []key, days *[]Day) ([]key, error) {
	width := r.trailer.width
	before, begun := r.last, r.begun
	at := r.at
	for ; at < len(r.buffer); at += width {
		b := r.buffer[at : at+digestSize]
		k := key{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
		if last.less(k) {
			break
		}
		if begun && !before.less(k) {
			return keys, &DamagedError{r.name, "is not in order"}
		}
		before, begun = k, true
		keys = append(keys, k)
		if days != nil {
			*days = append(*days, r.day(at))
		}
	}
	r.at, r.last, r.begun = at, before, begun
	return keys, nil
}

// lastKey returns the key of the last record in the buffer, which it fills when it has only an
// eighth left. It returns io.EOF after the last record of the file.
func (r *reader) lastKey() (key, error) {
	if r.left > 0 && len(r.buffer)-r.at < cap(r.buffer)/8 {
		if err := r.fill(); err != nil {
			return key{}, err
		}
	}
	if r.at == len(r.buffer) {
		return key{}, io.EOF
	}
	b := r.buffer[len(r.buffer)-r.trailer.width:]
	return key{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}, nil
}

// day returns the day of the record at a place of the buffer.
func (r *reader) day(at int) Day {
	if r.trailer.width > digestSize {
		return Day(binary.BigEndian.Uint16(r.buffer[at+digestSize:]))
	}
	return r.trailer.day
}

// fill reads the next records behind those that are left in the buffer, and adds them to the
// checksums of their first bytes. It returns io.EOF if there are no more.
func (r *reader) fill() error {
	if r.left == 0 {
		return io.EOF
	}
	width := int64(r.trailer.width)
	kept := copy(r.buffer, r.buffer[r.at:])
	r.buffer, r.at = r.buffer[:min(int64(cap(r.buffer)), int64(kept)+r.left*width)], 0
	more := r.buffer[kept:]
	if _, err := io.ReadFull(r.file, more); err != nil {
		r.buffer = r.buffer[:0]
		return bodyError(r.name, r.file, r.trailer.size(), err)
	}
	r.left -= int64(len(more)) / width
	return r.verify(more)
}

// verify adds records to the checksums of their first bytes, and compares each that is
// complete.
func (r *reader) verify(records []byte) error {
	width := r.trailer.width
	for len(records) > 0 {
		for r.rest == 0 {
			r.first++
			r.sum, r.rest = 0, r.trailer.counts[r.first]
		}
		n := min(int(r.rest)*width, len(records))
		if int(records[0]) != r.first || int(records[n-width]) != r.first {
			return &DamagedError{r.name, "has records in the wrong place"}
		}
		r.sum = crc32.Update(r.sum, castagnoli, records[:n])
		r.rest -= uint32(n / width)
		records = records[n:]
		if r.rest == 0 && r.sum != r.trailer.sums[r.first] {
			return &DamagedError{r.name, fmt.Sprintf("has a wrong checksum in the records that begin with %02x", r.first)}
		}
	}
	return nil
}
