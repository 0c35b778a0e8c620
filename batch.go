package usher

import (
	"io"
	"sync/atomic"
)

// Batch is a batch of digests. It is read in the platform's form: 32 lower-case hex
// characters each, separated by commas. The text is generated while it is read, any
// number of times and concurrently; memory holds only the digests, 16 bytes each.
//
// net/http may still read a body after RoundTrip has returned, for example after an
// early 413. Therefore every reader retains the batch and releases it on Close, and the
// memory is reused only after the last release.
type Batch struct {
	Number int64 // 1-based within its part; a batch may be sent in several requests
	Window int64 // number of the WindowRows rows of its part that its digests are of, 0-based
	IDs    int   // number of digests

	// Warnings are the warnings of successful responses, appended by the sender.
	Warnings []Warning

	// Refused are the digests that the platform has refused one by one while it took the
	// others, in order. A sender with a request for each digest sets them.
	Refused []RefusedDigest

	text       io.ReaderAt
	references atomic.Int32
	release    func()
}

// RefusedDigest is a digest of a batch that the platform has refused.
type RefusedDigest struct {
	At  int // its place in the batch, from 0
	Why *Permanent
}

// digestText is the length of a digest in a batch with its comma.
const digestText = 33

// NewBatch returns a batch that the caller has retained once. text has the Size bytes of
// ids digests, at least one, and must allow concurrent reads. release is called after
// the last Release; it may be nil.
func NewBatch(number int64, ids int, text io.ReaderAt, release func()) *Batch {
	b := &Batch{Number: number, IDs: ids, text: text, release: release}
	b.references.Store(1)
	return b
}

// Size returns the length of the text in bytes.
func (b *Batch) Size() int64 { return int64(b.IDs)*digestText - 1 }

// ReadAt reads the text; see io.ReaderAt.
func (b *Batch) ReadAt(p []byte, from int64) (int, error) { return b.text.ReadAt(p, from) }

// Text returns a copy of the text, for small batches.
func (b *Batch) Text() ([]byte, error) {
	return io.ReadAll(io.NewSectionReader(b, 0, b.Size()))
}

// Retain keeps the memory until a matching Release.
func (b *Batch) Retain() { b.references.Add(1) }

// Release undoes a Retain. The last one frees the memory.
func (b *Batch) Release() {
	if b.references.Add(-1) == 0 && b.release != nil {
		b.release()
	}
}
