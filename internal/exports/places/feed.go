package places

import (
	"context"
	"errors"
	"time"
)

// A feed reads ahead by so many chunks of so many bytes.
const (
	feedChunks = 15
	feedBytes  = 64 << 10
)

// feed is one answer, read ahead by a goroutine of its own, which end waits
// for.
type feed struct {
	stop   context.CancelCauseFunc
	opened chan struct{} // closed once state and refusal are there
	chunks chan []byte   // closed at the end, once err is there
	spare  chan []byte   // chunks to use again

	state   state
	refusal error  // why there is no answer
	err     error  // why it ended; io.EOF where the answer did
	sent    int64  // bytes read from it
	begun   []byte // the first chunk that is not spare yet
	rest    []byte // of it
}

var (
	errStalled = errors.New("nothing came for too long")
	errClosed  = errors.New("read export: its file is closed")
)

// startFeed asks for n bytes from off on. It gives up when nothing comes for
// as long as idle.
func startFeed(ctx context.Context, ask get, off, n int64, idle time.Duration, spare chan []byte) *feed {
	f := &feed{opened: make(chan struct{}), chunks: make(chan []byte, feedChunks), spare: spare}
	ctx, f.stop = context.WithCancelCause(ctx)
	go f.run(ctx, ask, off, n, idle)
	return f
}

func (f *feed) run(ctx context.Context, ask get, off, n int64, idle time.Duration) {
	defer close(f.chunks)
	stalled := time.AfterFunc(idle, func() { f.stop(errStalled) })
	defer stalled.Stop()
	a, err := ask(ctx, off, n)
	if err != nil {
		f.refusal = causeOf(ctx, err)
		close(f.opened)
		return
	}
	defer func() { _ = a.body.Close() }() // only read
	f.state = a.state
	close(f.opened)
	for skip := a.skip; ; {
		chunk := f.chunk()
		stalled.Reset(idle)
		n, err := a.body.Read(chunk)
		stalled.Stop() // who reads may take its time
		if skipped := min(skip, int64(n)); skipped > 0 {
			skip -= skipped
			n = copy(chunk, chunk[skipped:n])
		}
		if n > 0 {
			select {
			case f.chunks <- chunk[:n]:
			case <-ctx.Done():
				f.err = context.Cause(ctx)
				return
			}
		} else {
			f.recycle(chunk)
		}
		if err != nil {
			f.err = causeOf(ctx, err)
			return
		}
	}
}

// causeOf is why ctx ended, if it did. What follows from that is no word of the
// other end: a connection that is being closed may even look like a good end.
func causeOf(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// answered waits for the answer's beginning.
func (f *feed) answered(ctx context.Context) (state, error) {
	select {
	case <-f.opened:
	case <-ctx.Done():
		return state{}, context.Cause(ctx)
	}
	return f.state, f.refusal
}

// read returns what has come, and waits for it where nothing has. io.EOF is the
// answer's end.
func (f *feed) read(ctx context.Context, p []byte) (int, error) {
	if len(f.rest) == 0 {
		select {
		case chunk, ok := <-f.chunks:
			if !ok {
				return 0, f.err
			}
			f.begun, f.rest = chunk, chunk
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
	}
	n := copy(p, f.rest)
	f.sent += int64(n)
	if f.rest = f.rest[n:]; len(f.rest) == 0 {
		f.recycle(f.begun)
	}
	return n, nil
}

// end stops the feed and waits for it.
func (f *feed) end() {
	f.stop(errClosed)
	for chunk := range f.chunks {
		f.recycle(chunk)
	}
}

func (f *feed) chunk() []byte {
	select {
	case chunk := <-f.spare:
		return chunk
	default:
		return make([]byte, feedBytes)
	}
}

func (f *feed) recycle(chunk []byte) {
	select {
	case f.spare <- chunk[:feedBytes]:
	default:
	}
}
