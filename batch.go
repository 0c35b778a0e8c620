package usher

import (
	"io"
	"sync/atomic"
)

// Batch is one upload's worth of digests, to be read as the platform takes
// them: 32 lower-case hex characters each, joined by commas, without one at the
// end. The text is made while it is read, as often as it is read, by several
// readers at once; what is kept in memory are the digests, 16 bytes each.
//
// Their memory is shared with whoever sends the batch: net/http may still read
// a body after RoundTrip returned (an early 413, a cancel). So every reader
// made of it retains it and releases it on Close, and the memory is used again
// only when nobody holds it.
type Batch struct {
	Number int64 // 1-based, within its part; several requests may make up one
	IDs    int   // how many digests

	// Warnings are what the platform said beside its 200; the sender appends.
	Warnings []Warning

	text       io.ReaderAt
	references atomic.Int32
	release    func()
}

// digestText is how many bytes a digest takes in a batch, its comma included.
const digestText = 33

// NewBatch returns a batch held once by the caller. text holds Size bytes for
// ids digests, at least one, and must allow several readers at once. release is
// called when the last holder lets go; it may be nil.
func NewBatch(number int64, ids int, text io.ReaderAt, release func()) *Batch {
	b := &Batch{Number: number, IDs: ids, text: text, release: release}
	b.references.Store(1)
	return b
}

// Size is the text's length in bytes.
func (b *Batch) Size() int64 { return int64(b.IDs)*digestText - 1 }

// ReadAt reads the text; see io.ReaderAt.
func (b *Batch) ReadAt(p []byte, from int64) (int, error) { return b.text.ReadAt(p, from) }

// Text is a copy of all of it: for small batches.
func (b *Batch) Text() ([]byte, error) {
	return io.ReadAll(io.NewSectionReader(b, 0, b.Size()))
}

// Retain adds a holder.
func (b *Batch) Retain() { b.references.Add(1) }

// Release lets go; the last holder's release frees the memory.
func (b *Batch) Release() {
	if b.references.Add(-1) == 0 && b.release != nil {
		b.release()
	}
}
