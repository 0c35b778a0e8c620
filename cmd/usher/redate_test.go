package main_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/minio/highwayhash"
)

// redate shifts the times of all messages in a JetStream store by the same amount,
// so that the newest message is a minute old. Otherwise the server would delete the
// messages of an old store because of the maximum age of their streams.
//
// It rewrites times and checksums in the message blocks of the file store, and
// deletes the index of the blocks, which the server rebuilds.
func redate(t *testing.T, store string) {
	t.Helper()
	blocks, err := filepath.Glob(filepath.Join(store, "jetstream", "*", "streams", "*", "msgs", "*.blk"))
	if err != nil || len(blocks) == 0 {
		t.Fatalf("no message blocks in %s: %v", store, err)
	}
	var newest int64
	texts := map[string][]byte{}
	for _, path := range blocks {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[path] = text
		for r := range storedRecords(t, path, text) {
			newest = max(newest, r.time())
		}
	}
	shift := time.Now().Add(-time.Minute).UnixNano() - newest
	for path, text := range texts {
		stream, block := filepath.Base(filepath.Dir(filepath.Dir(path))), 0
		if _, err := fmt.Sscanf(filepath.Base(path), "%d.blk", &block); err != nil {
			t.Fatal(err)
		}
		for r := range storedRecords(t, path, text) {
			if r.checksum(t, stream, block) != r.storedChecksum() {
				t.Fatalf("%s: wrong checksum of a record: the storage format of the server may have changed", path)
			}
			binary.LittleEndian.PutUint64(r[12:], uint64(r.time()+shift))
			binary.LittleEndian.PutUint64(r[len(r)-8:], r.checksum(t, stream, block))
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(filepath.Dir(path), "index.db")); err != nil {
			t.Fatal(err)
		}
	}
}

// storedRecord is a message in a block of the file store: length (4 bytes; the
// highest bit is set if the message has headers), sequence (8), time (8), length of
// the subject (2), subject, length of the headers (4, only with headers), headers,
// body, checksum (8).
type storedRecord []byte

const (
	recordHead = 22
	headersBit = 1 << 31
)

// storedRecords yields the records of a block.
func storedRecords(t *testing.T, path string, block []byte) func(yield func(storedRecord) bool) {
	return func(yield func(storedRecord) bool) {
		for len(block) > 0 {
			size := int(binary.LittleEndian.Uint32(block) &^ headersBit)
			if size < recordHead+8 || size > len(block) {
				t.Fatalf("%s: a record has length %d, but %d bytes remain", path, size, len(block))
			}
			if !yield(block[:size]) {
				return
			}
			block = block[size:]
		}
	}
}

func (r storedRecord) time() int64 { return int64(binary.LittleEndian.Uint64(r[12:])) }

func (r storedRecord) storedChecksum() uint64 { return binary.LittleEndian.Uint64(r[len(r)-8:]) }

// checksum computes the checksum of sequence, time, subject, headers and body.
func (r storedRecord) checksum(t *testing.T, stream string, block int) uint64 {
	key := sha256.Sum256(fmt.Appendf(nil, "%s-%d", stream, block))
	h, err := highwayhash.New64(key[:])
	if err != nil {
		t.Fatal(err)
	}
	subject := recordHead + int(binary.LittleEndian.Uint16(r[20:]))
	body := subject
	if binary.LittleEndian.Uint32(r)&headersBit != 0 {
		body += 4
	}
	for _, piece := range [][]byte{r[4:20], r[recordHead:subject], r[body : len(r)-8]} {
		_, _ = h.Write(piece)
	}
	return binary.LittleEndian.Uint64(h.Sum(nil))
}
