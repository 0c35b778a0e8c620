package places

import (
	"context"
	"errors"
	"io"
	"sync"
)

// answer is what a server or a bucket says of a file, and the bytes that it is
// about to send.
type answer struct {
	state state
	body  io.ReadCloser // its end is io.EOF only where it is whole
	skip  int64         // how many of its bytes come before those asked for
}

// get asks for n bytes from off on, of the state that the first call saw. More
// may come, and fewer. A Permanent or RetryAfter is ready for the job; any
// other error may be mended by asking again.
type get func(ctx context.Context, off, n int64) (answer, error)

// ranged is the content of a file at the other end of a network, read by
// ranges. Read in order, it asks for four times as much each time; what comes is
// read ahead. What goes wrong on the way is asked for again in place, from where
// it broke off.
type ranged struct {
	Origin
	get      get
	patience patience
	state    state
	end      int64 // state.size, or where the end was found; -1: not yet

	life context.Context // ends with Close
	stop context.CancelCauseFunc

	mu    sync.Mutex
	feed  *feed // nil: none
	at    int64 // where the feed is, or the last one ended
	want  int64 // how many bytes the last request asked for
	spare chan []byte
}

const (
	firstRange = 128 << 10
	MaxRange   = 32 << 20
)

// openRanged waits for the answer to the first request, which says what state
// the file is in.
func openRanged(ctx context.Context, from Origin, ask get, p patience, first Range) (*ranged, error) {
	r := &ranged{Origin: from, get: ask, patience: p, spare: make(chan []byte, feedChunks+2)}
	r.life, r.stop = context.WithCancelCause(context.WithoutCancel(ctx))
	again := r.patience.begin()
	for {
		r.begin(first.At, min(max(first.Size, 1), MaxRange))
		s, err := r.feed.answered(ctx)
		if err == nil {
			r.state, r.end = s, s.Size
			return r, nil
		}
		r.drop()
		if err = again.after(ctx, r.Origin, first.At, err); err != nil {
			r.stop(errClosed)
			return nil, err
		}
	}
}

// State implements content: each answer is held to the first one's state.
func (r *ranged) State(context.Context) (state, error) { return r.state, nil }

// Close implements content.
func (r *ranged) Close() error {
	r.stop(errClosed) // before the lock, which who waits for bytes holds
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drop()
	return nil
}

// ReadAt implements content.
func (r *ranged) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	have, gained := 0, 0
	again := r.patience.begin()
	for have < len(p) {
		n, err := r.readOnce(ctx, p[have:], off+int64(have))
		have += n
		if gained += n; gained >= firstRange { // a trickle is no progress
			again, gained = r.patience.begin(), 0
		}
		switch {
		case err == nil:
		case errors.Is(err, io.EOF):
			return have, io.EOF
		case r.life.Err() != nil:
			return have, errClosed
		default:
			r.drop()
			if r.state.Stamp == "" && r.at > 0 {
				return have, r.brokenOff(err)
			}
			if err = again.after(ctx, r.Origin, r.at, err); err != nil {
				return have, err
			}
		}
	}
	return have, nil
}

// readOnce reads what is there at off. io.EOF is the file's end.
func (r *ranged) readOnce(ctx context.Context, p []byte, off int64) (int, error) {
	if err := context.Cause(ctx); err != nil {
		return 0, err
	}
	if r.end >= 0 && off >= r.end {
		return 0, io.EOF
	}
	if r.feed == nil || r.at != off {
		if r.state.Stamp == "" && off > 0 { // nobody could tell whether it is the same file
			return 0, r.unpinned()
		}
		want := min(4*r.want, MaxRange)
		if r.at != off {
			want = max(int64(len(p)), firstRange)
		}
		r.drop()
		r.begin(off, want)
	}
	now, err := r.feed.answered(ctx)
	if err != nil {
		return 0, err
	}
	if now.Size != r.state.Size || now.Stamp != r.state.Stamp {
		return 0, r.Changed()
	}
	n, err := r.feed.read(ctx, p)
	r.at += int64(n)
	if !errors.Is(err, io.EOF) {
		return n, err
	}
	ended := r.feed
	r.drop()
	switch {
	case r.state.Size < 0:
		r.end = r.at
		return n, io.EOF
	case ended.sent == 0:
		return n, io.ErrUnexpectedEOF
	}
	return n, nil
}

// begin starts a feed of about n bytes from off on.
func (r *ranged) begin(off, n int64) {
	if r.state.Size > 0 {
		n = min(n, max(r.state.Size-off, 1))
	}
	r.at, r.want = off, n
	r.feed = startFeed(r.life, r.get, off, n, r.patience.idle, r.spare)
}

// drop ends the feed, if there is one.
func (r *ranged) drop() {
	if r.feed != nil {
		r.feed.end()
		r.feed = nil
	}
}

// brokenOff judges a file that broke off and cannot be read on, though perhaps
// from its beginning.
func (r *ranged) brokenOff(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return r.truncated(r.at)
	}
	return err
}

// truncated says that the other end sends less than it promised.
func (o Origin) truncated(at int64) error {
	return o.Broken("write the export anew and submit the job again once its file is whole",
		"it breaks off after %d bytes: it is truncated", at)
}

func (o Origin) unpinned() error {
	return o.Broken("let the server send an ETag or Last-Modified",
		"its server sends nothing that tells whether it changed, so that it can only be read from its beginning")
}
