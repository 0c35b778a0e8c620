package places

import (
	"context"
	"errors"
	"io"
	"time"
)

// A feed reads feedChunks chunks of feedBytes bytes ahead.
const (
	feedChunks = 15
	feedBytes  = 64 << 10
)

// feed reads one response ahead, in its own goroutine. end waits for the goroutine.
type feed struct {
	stop   context.CancelCauseFunc
	opened chan struct{} // closed when state and refusal are set
	chunks chan []byte   // closed at the end, when err is set
	spare  chan []byte   // chunks for reuse
	meter  *Meter

	state   state
	refusal error  // why there is no response
	err     error  // why the feed ended; io.EOF if the response did
	sent    int64  // bytes that read has returned
	begun   []byte // the chunk that is being read
	rest    []byte // of that chunk, not read yet
}

var (
	errStalled = errors.New("no data arrived for too long")
	errClosed  = errors.New("read export: its file is closed")
)

// startFeed requests n bytes from offset off on. It gives up if no byte comes for as
// long as idle.
func startFeed(ctx context.Context, request requestFunc, off, n int64, idle time.Duration, spare chan []byte, meter *Meter) *feed {
	f := &feed{opened: make(chan struct{}), chunks: make(chan []byte, feedChunks), spare: spare, meter: meter}
	ctx, f.stop = context.WithCancelCause(ctx)
	go f.run(ctx, request, off, n, idle)
	return f
}

func (f *feed) run(ctx context.Context, request requestFunc, off, n int64, idle time.Duration) {
	defer close(f.chunks)
	stalled := time.AfterFunc(idle, func() { f.stop(errStalled) })
	defer stalled.Stop()
	res, err := request(ctx, off, n)
	if err != nil {
		f.refusal = causeOf(ctx, err)
		close(f.opened)
		return
	}
	defer func() { _ = res.body.Close() }() // only read
	f.state = res.state
	close(f.opened)
	for err == nil {
		chunk := f.chunk()
		stalled.Reset(idle)
		n, readErr := res.body.Read(chunk)
		stalled.Stop() // the reader of the feed may take its time
		err = readErr
		if skipped := min(res.skip, int64(n)); skipped > 0 {
			res.skip -= skipped
			n = copy(chunk, chunk[skipped:n])
		}
		if n == 0 {
			f.recycle(chunk)
			continue
		}
		select {
		case f.chunks <- chunk[:n]:
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
	}
	f.err = causeOf(ctx, err)
}

// causeOf returns the cause of ctx if ctx has ended. Errors after that do not come
// from the server; a connection that is closed may even look like a regular end.
func causeOf(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// response waits for the beginning of the response.
func (f *feed) response(ctx context.Context) (state, error) {
	if err := await(ctx, f.meter, f.opened, func(struct{}, bool) int { return 0 }); err != nil {
		return state{}, err
	}
	return f.state, f.refusal
}

// await blocks until a channel delivers or is closed, and measures for how long. take returns how many
// bytes a value has. await returns an error if ctx ends first, or the source is too slow.
func await[T any](ctx context.Context, meter *Meter, from <-chan T, take func(value T, open bool) (bytes int)) error {
	select {
	case value, open := <-from: // usher has not waited for it
		meter.count(take(value, open))
		return nil
	default:
	}
	meter.begin()
	tick := time.NewTicker(meterReport)
	defer tick.Stop()
	for {
		select {
		case value, open := <-from:
			return meter.end(take(value, open))
		case <-ctx.Done():
			_ = meter.end(0) // ctx says why
			return context.Cause(ctx)
		case <-tick.C:
			meter.check()
		}
	}
}

// read returns bytes that have come, and waits for some if there are none. It returns
// io.EOF at the end of the response.
func (f *feed) read(ctx context.Context, p []byte) (int, error) {
	if len(f.rest) == 0 {
		ended := false
		err := await(ctx, f.meter, f.chunks, func(chunk []byte, open bool) int {
			f.begun, f.rest, ended = chunk, chunk, !open
			return len(chunk)
		})
		switch {
		case ended && (err == nil || errors.Is(f.err, io.EOF)):
			return 0, f.err
		case err != nil:
			return 0, err
		}
	}
	n := copy(p, f.rest)
	f.sent += int64(n)
	if f.rest = f.rest[n:]; len(f.rest) == 0 {
		f.recycle(f.begun)
	}
	return n, nil
}

// end stops the feed and waits for its goroutine.
func (f *feed) end() {
	f.stop(errClosed)
	for chunk := range f.chunks {
		f.recycle(chunk)
	}
}

// chunk returns a spare chunk or a new one.
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
