package sandbox

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

// stateLog is the state on disk: a file of records, each the changes of one
// request, whole or not there at all.
//
//	4 bytes  length of what follows the checksum, little endian
//	4 bytes  CRC-32C of it
//	4 bytes  length of the JSON
//	         the changes as a JSON array
//	         digests, 16 bytes each
//
// Records are written by one write each, so a killed process leaves at most the
// last one torn, and Open cuts that off. There is no fsync but at a rewrite and
// at Close: a power cut may lose the last seconds, which a sandbox may.
type stateLog struct {
	path string
	file *os.File
	size int64
	base int64 // size after the last rewrite
}

const (
	logMagic   = "usher sandbox state 1\n"
	headSize   = 12
	crowdedMin = 8 << 20 // bytes from which on the log is worth a rewrite
)

// openLog opens or makes the log and replays it.
func openLog(path string, replay func(c change, digests []byte) error, reading func(at, of int64)) (*stateLog, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // the path is the operator's
	if err != nil {
		return nil, fmt.Errorf("open sandbox state: %w", err)
	}
	l := &stateLog{path: path, file: file}
	if err := l.load(replay, reading); err != nil {
		return nil, errors.Join(fmt.Errorf("read sandbox state %s: %w", path, err), file.Close())
	}
	return l, nil
}

// load replays whole records and cuts off a torn one at the end. reading hears of
// each at which of all bytes it ends.
func (l *stateLog) load(replay func(c change, digests []byte) error, reading func(at, of int64)) error {
	info, err := l.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() < int64(len(logMagic)) {
		return l.begin()
	}
	r := bufio.NewReaderSize(l.file, 1<<20)
	magic := make([]byte, len(logMagic))
	if _, err := io.ReadFull(r, magic); err != nil || string(magic) != logMagic {
		return errors.New("this is no state of a sandbox: move it away, or give another data directory")
	}
	l.size = int64(len(logMagic))
	for {
		length, err := readRecord(r, info.Size()-l.size, replay)
		if errors.Is(err, errTorn) {
			break
		}
		if err != nil {
			return fmt.Errorf("record at byte %d: %w", l.size, err)
		}
		l.size += length
		reading(l.size, info.Size())
	}
	if err := l.file.Truncate(l.size); err != nil {
		return err
	}
	_, err = l.file.Seek(l.size, io.SeekStart)
	return err
}

// begin makes an empty log.
func (l *stateLog) begin() error {
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	if _, err := l.file.WriteAt([]byte(logMagic), 0); err != nil {
		return err
	}
	l.size = int64(len(logMagic))
	_, err := l.file.Seek(l.size, io.SeekStart)
	return err
}

// errTorn ends a replay: what follows was not written to its end.
var errTorn = errors.New("torn record")

// readRecord replays the next record of at most left bytes and returns its size.
func readRecord(r io.Reader, left int64, replay func(c change, digests []byte) error) (int64, error) {
	var head [headSize]byte
	if left < headSize {
		return 0, errTorn
	}
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, err
	}
	length := int64(binary.LittleEndian.Uint32(head[0:]))
	jsonLength := int64(binary.LittleEndian.Uint32(head[8:]))
	size := 8 + length
	if size > left {
		return 0, errTorn
	}
	if length < 4+jsonLength {
		return 0, errors.New("its lengths are wrong: the file is damaged, move it away")
	}
	payload := make([]byte, length-4)
	if _, err := io.ReadFull(r, payload); err != nil {
		return 0, err
	}
	if checksum(head[8:], payload) != binary.LittleEndian.Uint32(head[4:]) {
		if size == left {
			return 0, errTorn
		}
		return 0, errors.New("its checksum is wrong: the file is damaged, move it away")
	}
	var changes []change
	if err := json.Unmarshal(payload[:jsonLength], &changes); err != nil {
		return 0, err
	}
	for _, c := range changes {
		if err := replay(c, payload[jsonLength:]); err != nil {
			return 0, err
		}
	}
	return size, nil
}

func checksum(pieces ...[]byte) uint32 {
	var sum uint32
	for _, piece := range pieces {
		sum = crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), piece)
	}
	return sum
}

// record is the bytes of a record.
func record(changes []change, digests []byte) []byte {
	text := mustJSON(changes)
	length := 4 + len(text) + len(digests)
	out := make([]byte, headSize, 8+length)
	out = append(append(out, text...), digests...)
	binary.LittleEndian.PutUint32(out[0:], uint32(length)) // an upload has at most 1 GiB
	binary.LittleEndian.PutUint32(out[8:], uint32(len(text)))
	binary.LittleEndian.PutUint32(out[4:], checksum(out[8:]))
	return out
}

// append writes a record. One that could not be written to its end is taken
// back, so that the next one does not follow a torn one.
func (l *stateLog) append(changes []change, digests []byte) error {
	if l.file == nil {
		return errors.New("write sandbox state: the sandbox is closed")
	}
	n, err := l.file.Write(record(changes, digests))
	if err != nil {
		if n > 0 {
			_, seekErr := l.file.Seek(l.size, io.SeekStart)
			err = errors.Join(err, l.file.Truncate(l.size), seekErr)
		}
		return fmt.Errorf("write sandbox state: %w", err)
	}
	l.size += int64(n)
	return nil
}

// crowded reports whether most of the log is likely to be history.
func (l *stateLog) crowded() bool { return l.size > max(crowdedMin, 4*l.base) }

// rewrite replaces the log by what snapshot yields: into a new file, which
// takes the old one's place once it is whole.
func (l *stateLog) rewrite(snapshot func(yield func(c change, digests []byte) error) error) error {
	l.base = l.size // if this fails, it is tried again when the log has grown much further
	temporary := l.path + ".new"
	file, err := os.OpenFile(temporary, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600) //nolint:gosec // beside the log
	if err != nil {
		return err
	}
	size, err := writeSnapshot(file, snapshot)
	if err == nil {
		err = os.Rename(temporary, l.path)
	}
	if err != nil {
		return errors.Join(err, file.Close(), os.Remove(temporary))
	}
	old := l.file
	l.file, l.size, l.base = file, size, size
	return errors.Join(old.Close(), syncDirectory(filepath.Dir(l.path)))
}

func writeSnapshot(file *os.File, snapshot func(yield func(c change, digests []byte) error) error) (int64, error) {
	w := bufio.NewWriterSize(file, 1<<20)
	size, err := w.WriteString(logMagic)
	if err != nil {
		return 0, err
	}
	total := int64(size)
	err = snapshot(func(c change, digests []byte) error {
		n, err := w.Write(record([]change{c}, digests))
		total += int64(n)
		return err
	})
	if err != nil {
		return 0, err
	}
	if err := w.Flush(); err != nil {
		return 0, err
	}
	return total, file.Sync()
}

func syncDirectory(path string) error {
	directory, err := os.Open(path) //nolint:gosec // the log's directory
	if err != nil {
		return err
	}
	return errors.Join(directory.Sync(), directory.Close())
}

// close makes the log durable and closes it.
func (l *stateLog) close() error {
	if l.file == nil {
		return nil
	}
	err := errors.Join(l.file.Sync(), l.file.Close())
	l.file = nil
	return err
}
