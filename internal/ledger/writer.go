package ledger

import (
	"context"
	"encoding/binary"
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
	store  *Store
	name   string
	file   *blob.Writer
	cancel context.CancelFunc
	memory *[writeBuffer]byte // nil: the writer was ended
	buffer []byte             // of memory

	trailer     trailer
	fingerprint hashing.Fingerprint
	err         error
}

// create begins a file. Days are written if width says so.
func (s *Store) create(ctx context.Context, name string, width int, day Day) (*writer, error) {
	ctx, cancel := context.WithCancel(ctx)
	file, err := s.bucket.NewWriter(ctx, name, &blob.WriterOptions{ContentType: "application/octet-stream"})
	if err != nil {
		cancel()
		return nil, storeError("write ledger file", name, err)
	}
	memory, ok := s.writeMemory.Get().(*[writeBuffer]byte)
	if !ok {
		memory = new([writeBuffer]byte)
	}
	return &writer{store: s, name: name, file: file, cancel: cancel, memory: memory, buffer: memory[:0], trailer: trailer{width: width, day: day}}, nil
}

// add writes a record, which must be greater than the one before. The first error is
// returned by close. A nil writer writes nothing.
func (w *writer) add(k key, day Day) {
	if w == nil {
		return
	}
	at := len(w.buffer)
	if at+digestSize+daySize > cap(w.buffer) {
		w.write()
		at = 0
	}
	record := w.buffer[at : at+digestSize+daySize]
	binary.BigEndian.PutUint64(record, k.high)
	binary.BigEndian.PutUint64(record[8:], k.low)
	binary.BigEndian.PutUint16(record[digestSize:], uint16(day))
	w.buffer = w.buffer[:at+w.trailer.width]
}

// write writes the records of the buffer, and adds them to the trailer and the fingerprint.
func (w *writer) write() {
	for records := w.buffer; len(records) > 0; {
		group := w.group(records)
		first := records[0]
		w.trailer.counts[first] += uint32(len(group) / w.trailer.width)
		w.trailer.sums[first] = crc32.Update(w.trailer.sums[first], castagnoli, group)
		records = records[len(group):]
	}
	if w.err == nil {
		_, w.err = w.file.Write(w.buffer)
	}
	w.buffer = w.buffer[:0]
}

// group returns the records at the start of records that have the same first byte, and adds
// them to the fingerprint.
func (w *writer) group(records []byte) []byte {
	first, width := records[0], w.trailer.width
	f := w.fingerprint
	end := 0
	for ; end < len(records) && records[end] == first; end += width {
		f.AddNumber(binary.BigEndian.Uint64(records[end:]), binary.BigEndian.Uint64(records[end+8:]))
	}
	w.fingerprint = f
	return records[:end]
}

// close ends the file, which is visible only afterwards.
func (w *writer) close() (File, error) {
	w.write()
	encoded := w.trailer.encode()
	if w.err == nil {
		_, w.err = w.file.Write(encoded)
	}
	if w.err != nil {
		w.abort()
		return File{}, storeError("write ledger file", w.name, w.err)
	}
	defer w.cancel()
	w.release()
	if err := w.file.Close(); err != nil {
		return File{}, storeError("write ledger file", w.name, err)
	}
	return File{Name: w.name, Size: w.trailer.size(), Checksum: checksum(encoded), Fingerprint: w.fingerprint}, nil
}

// abort ends the writing without a file.
func (w *writer) abort() {
	w.cancel()
	_ = w.file.Close() // fails, because its context has ended
	w.release()
}

func (w *writer) release() {
	if w.memory != nil {
		w.store.writeMemory.Put(w.memory)
	}
	w.memory, w.buffer = nil, nil
}
