package places

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"sync"
	"time"

	"usher"
)

// response is what a server or a bucket sends for a request.
type response struct {
	state state
	body  io.ReadCloser // returns io.EOF only if it is complete
	skip  int64         // bytes of body before the requested ones
}

// requestFunc requests n bytes from offset off on, of the state that the first
// response had. The response may have more or fewer bytes. A Permanent or RetryAfter
// is ready for the job; any other error may be retried.
type requestFunc func(ctx context.Context, off, n int64) (response, error)

// ranged is the content of a file over a network, read by ranges. While it is read in
// order, each request asks for four times as much as the one before, and the response
// is read ahead. Failures are retried in place, from where the response broke off.
type ranged struct {
	origin   Origin
	request  requestFunc
	patience patience
	meter    *Meter
	state    state
	end      int64 // state.Size, or where the end was found; -1: not found yet

	life context.Context // ends with Close
	stop context.CancelCauseFunc

	mu    sync.Mutex
	feed  *feed // nil: none
	at    int64 // offset of the feed, or where the last one ended
	want  int64 // bytes that the last request asked for
	spare chan []byte
}

// firstRange and MaxRange are the smallest and the largest range that is requested
// for reading in order.
const (
	firstRange = 128 << 10
	MaxRange   = 32 << 20
)

// openRanged waits for the first response, which has the state of the file.
func openRanged(ctx context.Context, from Origin, request requestFunc, p patience, first Range, meter *Meter) (*ranged, error) {
	r := &ranged{origin: from, request: request, patience: p, meter: meter, spare: make(chan []byte, feedChunks+2)}
	r.life, r.stop = context.WithCancelCause(context.WithoutCancel(ctx))
	retries := r.patience.start()
	for {
		r.begin(first.At, min(max(first.Size, 1), MaxRange))
		s, err := r.feed.response(ctx)
		if err == nil {
			r.state, r.end = s, s.Size
			return r, nil
		}
		r.drop()
		if err = retries.after(ctx, r.origin, first.At, err); err != nil {
			r.stop(errClosed)
			return nil, err
		}
	}
}

// State implements content. Each response must have the state of the first one.
func (r *ranged) State(context.Context) (state, error) { return r.state, nil }

// Close implements content.
func (r *ranged) Close() error {
	r.stop(errClosed) // before the lock, which a waiting ReadAt holds
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
	retries := r.patience.start()
	for have < len(p) {
		n, err := r.readOnce(ctx, p[have:], off+int64(have))
		have += n
		if gained += n; gained >= firstRange { // fewer bytes are not progress
			retries, gained = r.patience.start(), 0
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
			if err = retries.after(ctx, r.origin, r.at, err); err != nil {
				return have, err
			}
		}
	}
	return have, nil
}

// readOnce reads the bytes that are available at an offset. It returns io.EOF at the
// end of the file.
func (r *ranged) readOnce(ctx context.Context, p []byte, off int64) (int, error) {
	if err := context.Cause(ctx); err != nil {
		return 0, err
	}
	if r.end >= 0 && off >= r.end {
		return 0, io.EOF
	}
	if r.feed == nil || r.at != off {
		if r.state.Stamp == "" && off > 0 { // it might not be the same file any more
			return 0, r.origin.unpinned()
		}
		want := min(4*r.want, MaxRange)
		if r.at != off {
			want = max(int64(len(p)), firstRange)
		}
		r.drop()
		r.begin(off, want)
	}
	now, err := r.feed.response(ctx)
	if err != nil {
		return 0, err
	}
	if now.Size != r.state.Size || now.Stamp != r.state.Stamp {
		return 0, r.origin.Changed()
	}
	n, err := r.feed.read(ctx, p)
	r.at += int64(n)
	if !errors.Is(err, io.EOF) {
		return n, err
	}
	return n, r.endOfFeed()
}

// endOfFeed drops a feed that has ended. It returns io.EOF if that is the end of the
// file, and nil if another feed may follow.
func (r *ranged) endOfFeed() error {
	ended := r.feed
	r.drop()
	switch {
	case r.state.Size < 0:
		r.end = r.at
		return io.EOF
	case ended.sent == 0:
		return io.ErrUnexpectedEOF
	}
	return nil
}

// begin starts a feed of about n bytes from offset off on.
func (r *ranged) begin(off, n int64) {
	if r.state.Size > 0 {
		n = min(n, max(r.state.Size-off, 1))
	}
	r.at, r.want = off, n
	r.feed = startFeed(r.life, r.request, off, n, r.patience.idle, r.spare, r.meter)
}

// drop ends the feed, if there is one.
func (r *ranged) drop() {
	if r.feed != nil {
		r.feed.end()
		r.feed = nil
	}
}

// brokenOff returns the error for a file that broke off and cannot be read on.
func (r *ranged) brokenOff(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return r.origin.truncated(r.at)
	}
	return err
}

// patience says how long a network is waited for, and how often a request is retried
// in place. That is cheaper than another attempt of the job.
type patience struct {
	idle        time.Duration // the longest wait for the next byte
	first, last time.Duration // the first wait before a retry, and the longest; each doubles
	total       time.Duration // of all waits without progress
}

var defaultPatience = patience{idle: time.Minute, first: 200 * time.Millisecond, last: 5 * time.Second, total: 30 * time.Second}

// retries counts the failures since the last progress.
type retries struct {
	patience

	waited time.Duration
	wait   time.Duration
	short  int   // responses in a row that broke off at about the same offset
	broke  int64 // offset of the last one
}

func (p patience) start() *retries { return &retries{patience: p, wait: p.first} }

// maxShort is how many responses in a row may break off within nearby bytes. After
// that, the file counts as truncated.
const (
	maxShort = 3
	nearby   = 4 << 10
)

// after waits until a request may be retried that failed with err at an offset. If it
// may not, after returns err, or an error that explains it.
func (r *retries) after(ctx context.Context, o Origin, at int64, err error) error {
	var permanent *usher.Permanent
	var later *usher.RetryAfter
	wait := r.wait/2 + rand.N(r.wait) //nolint:gosec // jitter
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &permanent), errors.Is(err, usher.ErrSlowSource): // another job may have the slot
		return err
	case errors.As(err, &later):
		wait = max(wait, later.After)
	case errors.Is(err, io.ErrUnexpectedEOF):
		if at-r.broke > nearby {
			r.short = 0
		}
		r.broke = at
		if r.short++; r.short >= maxShort {
			return o.truncated(at)
		}
	}
	if r.waited += wait; r.waited > r.total {
		return err
	}
	r.wait = min(2*r.wait, r.last)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
