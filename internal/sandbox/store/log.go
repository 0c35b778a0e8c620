package store

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// stateLog is the state on disk: a file of records. A record has the changes of one commit.
//
//	4 bytes  length of the bytes after the checksum, little endian
//	4 bytes  CRC-32C of these bytes
//	4 bytes  length of the JSON
//	         the changes as a JSON array
//	         digests, 16 bytes each
//
// Each record is written by one write. A killed process leaves at most the last record
// incomplete, which openLog removes. The file is synced only by rewrite and close, so a
// power failure may lose the last seconds, which is acceptable for a sandbox.
type stateLog struct {
	path string
	file *os.File
	size int64
	base int64 // size after the last rewrite
}

const (
	logMagic   = "usher sandbox state 1\n"
	headSize   = 12
	crowdedMin = 8 << 20 // bytes; a smaller log is not rewritten
)

// openLog opens or creates the log and replays it. It calls progress with the number of
// bytes read so far and the size.
func openLog(path string, replay func(Change) error, progress func(read, size int64)) (*stateLog, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // the path is the operator's
	if err != nil {
		return nil, fmt.Errorf("open sandbox state: %w", err)
	}
	l := &stateLog{path: path, file: file}
	if err := l.load(replay, progress); err != nil {
		return nil, errors.Join(fmt.Errorf("read sandbox state %s: %w", path, err), file.Close())
	}
	return l, nil
}

// load replays all complete records and removes an incomplete one at the end.
func (l *stateLog) load(replay func(Change) error, progress func(read, size int64)) error {
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
		return errors.New("this is not the state of a sandbox: move it away, or use another data directory")
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
		progress(l.size, info.Size())
	}
	if err := l.file.Truncate(l.size); err != nil {
		return err
	}
	_, err = l.file.Seek(l.size, io.SeekStart)
	return err
}

// begin writes the header of an empty log.
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

// errTorn ends a replay at a record that was not written completely.
var errTorn = errors.New("torn record")

// readRecord replays the next record and returns its size. left is the number of bytes up
// to the end of the file.
func readRecord(r io.Reader, left int64, replay func(Change) error) (int64, error) {
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
	return size, replayRecord(payload[:jsonLength], payload[jsonLength:], replay)
}

func replayRecord(text, digests []byte, replay func(Change) error) error {
	var changes []Change
	if err := json.Unmarshal(text, &changes); err != nil {
		return err
	}
	for _, c := range changes {
		c.digests = digests
		if err := replay(c); err != nil {
			return err
		}
	}
	return nil
}

func checksum(pieces ...[]byte) uint32 {
	var sum uint32
	for _, piece := range pieces {
		sum = crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), piece)
	}
	return sum
}

// record returns the bytes of a record.
func record(changes []Change, digests []byte) []byte {
	text := encode(changes)
	length := 4 + len(text) + len(digests)
	out := make([]byte, headSize, 8+length)
	out = append(append(out, text...), digests...)
	binary.LittleEndian.PutUint32(out[0:], uint32(length)) // an upload has at most 1 GiB
	binary.LittleEndian.PutUint32(out[8:], uint32(len(text)))
	binary.LittleEndian.PutUint32(out[4:], checksum(out[8:]))
	return out
}

// append writes a record. It removes a record that it could not write completely, so that
// the next record does not follow an incomplete one.
func (l *stateLog) append(changes []Change, digests []byte) error {
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

// close syncs the log and closes it.
func (l *stateLog) close() error {
	if l.file == nil {
		return nil
	}
	err := errors.Join(l.file.Sync(), l.file.Close())
	l.file = nil
	return err
}
