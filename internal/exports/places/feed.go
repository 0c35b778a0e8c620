package places

import (
	"context"
	"errors"
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
func startFeed(ctx context.Context, request requestFunc, off, n int64, idle time.Duration, spare chan []byte) *feed {
	f := &feed{opened: make(chan struct{}), chunks: make(chan []byte, feedChunks), spare: spare}
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
	select {
	case <-f.opened:
	case <-ctx.Done():
		return state{}, context.Cause(ctx)
	}
	return f.state, f.refusal
}

// read returns bytes that have come, and waits for some if there are none. It returns
// io.EOF at the end of the response.
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
