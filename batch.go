package usher

import (
	"bytes"
	"sync/atomic"
)

// Batch is one upload's worth of digests: 32 lower-case hex characters each,
// joined by commas, in a buffer with room before and behind, so that a frame
// (a multipart preamble and epilogue) can be put around them without a copy
// and the buffer is the request's body.
//
// Its buffer is shared with whoever sends it: net/http may still read a body
// after RoundTrip returned (an early 413, a cancel). So every reader made of
// it retains it and releases it on Close, and the buffer is used again only
// when nobody holds it.
type Batch struct {
	Number int64 // 1-based, within its part
	IDs    int   // how many digests

	// Warnings are what the platform said beside its 200; the sender appends.
	Warnings []Warning

	buffer     []byte
	from, to   int // the digests within buffer
	references atomic.Int32
	recycle    func(*Batch)
}

// FrameRoom is how many bytes a Batch keeps free on either side.
const FrameRoom = 512

// NewBatch returns an empty batch for up to ids digests, held once by the
// caller. recycle is called when the last holder lets go; it may be nil.
func NewBatch(ids int, recycle func(*Batch)) *Batch {
	b := &Batch{buffer: make([]byte, FrameRoom+33*ids+FrameRoom), recycle: recycle}
	b.Reset()
	return b
}

// Reset empties the batch for its next use, held once by the caller.
func (b *Batch) Reset() {
	b.Number, b.IDs, b.from, b.to = 0, 0, FrameRoom, FrameRoom
	b.Warnings = nil
	b.references.Store(1)
}

// Digests are the joined digests, without a comma at the end.
func (b *Batch) Digests() []byte { return b.buffer[b.from:b.to] }

// SetDigests says that the first n bytes from the batch's beginning hold ids
// joined digests.
func (b *Batch) SetDigests(n, ids int) { b.to, b.IDs = b.from+n, ids }

// Buffer is where digests are written to: its length is the batch's capacity.
// See SetDigests.
func (b *Batch) Buffer() []byte { return b.buffer[FrameRoom : len(b.buffer)-FrameRoom] }

// Frame writes before and behind around the digests and returns the whole
// body, which shares the batch's buffer. Each is at most FrameRoom long. A
// frame that is there already is not written again: a reader of an earlier
// attempt may still be at it.
func (b *Batch) Frame(before, behind []byte) []byte {
	start, end := b.from-len(before), b.to+len(behind)
	set(b.buffer[start:b.from], before)
	set(b.buffer[b.to:end], behind)
	return b.buffer[start:end]
}

// set makes into equal to want, and writes nothing where it is.
func set(into, want []byte) {
	if !bytes.Equal(into, want) {
		copy(into, want)
	}
}

// Retain adds a holder.
func (b *Batch) Retain() { b.references.Add(1) }

// Release lets go; the last holder's release recycles the batch.
func (b *Batch) Release() {
	if b.references.Add(-1) == 0 && b.recycle != nil {
		b.recycle(b)
	}
}
