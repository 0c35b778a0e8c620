package ledger

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"gocloud.dev/blob"

	"usher/hashing"
)

// File is a file of sorted records.
type File struct {
	Name        string              `json:"name"`
	Size        int64               `json:"size"`
	Checksum    uint32              `json:"checksum"`
	Fingerprint hashing.Fingerprint `json:"fingerprint"`
}

// writeBuffer is the size of a writer's buffer in bytes.
const writeBuffer = 64 << 10

// writer writes a file. It must be ended by close or abort.
type writer struct {
	name   string
	file   *blob.Writer
	cancel context.CancelFunc
	buffer []byte
	begun  int // of the buffer, from where no checksum was taken

	trailer     trailer
	fingerprint hashing.Fingerprint
	first       byte // of the last record
	last        key
	err         error
}

// create begins a file. Days are written if width says so.
func (s *Store) create(ctx context.Context, name string, width int, day Day) (*writer, error) {
	ctx, cancel := context.WithCancel(ctx)
	file, err := s.bucket.NewWriter(ctx, name, &blob.WriterOptions{ContentType: "application/octet-stream"})
	if err != nil {
		cancel()
		return nil, fmt.Errorf("write ledger file %s: %w", name, err)
	}
	return &writer{name: name, file: file, cancel: cancel, buffer: make([]byte, 0, writeBuffer), trailer: trailer{width: width, day: day}}, nil
}

// add writes a record, which must be greater than the one before. The first error is
// returned by close. A nil writer writes nothing.
func (w *writer) add(k key, day Day) {
	if w == nil {
		return
	}
	first := byte(k.high >> 56)
	if first != w.first || len(w.buffer)+digestSize+daySize > cap(w.buffer) {
		w.flush(first)
	}
	w.trailer.counts[first]++
	w.last = k
	w.fingerprint.AddNumber(k.high, k.low)
	w.buffer = binary.BigEndian.AppendUint64(w.buffer, k.high)
	w.buffer = binary.BigEndian.AppendUint64(w.buffer, k.low)
	if w.trailer.width > digestSize {
		w.buffer = binary.BigEndian.AppendUint16(w.buffer, uint16(day))
	}
}

// flush takes the checksum of the records since the last call, and writes the buffer if it
// is full. The next record begins with first.
func (w *writer) flush(first byte) {
	w.trailer.sums[w.first] = crc32.Update(w.trailer.sums[w.first], castagnoli, w.buffer[w.begun:])
	w.begun, w.first = len(w.buffer), first
	if len(w.buffer)+digestSize+daySize > cap(w.buffer) {
		w.write()
	}
}

func (w *writer) write() {
	if w.err == nil {
		_, w.err = w.file.Write(w.buffer)
	}
	w.buffer, w.begun = w.buffer[:0], 0
}

// close ends the file, which is visible only afterwards.
func (w *writer) close() (File, error) {
	w.flush(w.first)
	w.write()
	encoded := w.trailer.encode()
	if w.err == nil {
		_, w.err = w.file.Write(encoded)
	}
	if w.err != nil {
		w.abort()
		return File{}, fmt.Errorf("write ledger file %s: %w", w.name, w.err)
	}
	defer w.cancel()
	if err := w.file.Close(); err != nil {
		return File{}, fmt.Errorf("write ledger file %s: %w", w.name, err)
	}
	return File{Name: w.name, Size: w.trailer.size(), Checksum: checksum(encoded), Fingerprint: w.fingerprint}, nil
}

// abort ends the writing without a file.
func (w *writer) abort() {
	w.cancel()
	_ = w.file.Close() // fails, because its context has ended
}
