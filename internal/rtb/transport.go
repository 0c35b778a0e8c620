package rtb

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"
)

// Figures of the transport.
const (
	writeBuffer = 256 << 10        // bytes; 8 ns an id instead of 12 with the default 4 KB
	dialTimeout = 10 * time.Second // to a platform that drops our packets
	keepAlive   = 30 * time.Second // TCP probes, so that a dead peer is noticed
	idleTimeout = 90 * time.Second // a kept connection; without keep-alive an upload costs 13 times more
	lastWords   = time.Second      // see conn.Write
)

// NewHTTPClient returns an HTTP client for the platform.
//
// conns is how many connections it opens to it; further requests wait. timeout
// is how long the platform may let us wait without progress: for the header of
// its answer after the body was sent, and for each 256 KB of the body to be
// taken. A request takes at most five times that altogether.
//
// Redirects are not followed: they would take the token, or the login's
// password, elsewhere. There is no proxy unless the transport is given one.
func NewHTTPClient(conns int, timeout time.Duration) *http.Client {
	buffers := new(sync.Pool)
	dialer := &net.Dialer{Timeout: dialTimeout, KeepAlive: keepAlive}
	return &http.Client{
		Timeout:       5 * timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				c, err := dialer.DialContext(ctx, network, address)
				if err != nil {
					return nil, err
				}
				return &conn{Conn: c, timeout: timeout, buffers: buffers, heard: make(chan struct{})}, nil
			},
			TLSHandshakeTimeout:   dialTimeout,
			WriteBufferSize:       writeBuffer,
			ResponseHeaderTimeout: timeout,
			MaxConnsPerHost:       conns,
			MaxIdleConnsPerHost:   conns,
			IdleConnTimeout:       idleTimeout,
		},
	}
}

// conn is a connection on which the answer wins over a write error. A platform
// that answers 413 and closes before it has read the body resets the
// connection; the answer lies in our receive buffer then, but net/http returns
// whichever of the two it sees first. So a write that was reset waits until the
// reading side has come to its end.
type conn struct {
	net.Conn
	timeout time.Duration // for each write
	buffers *sync.Pool    // of *[writeBuffer]byte, while a body is written
	once    sync.Once
	heard   chan struct{} // closed when there is nothing more to read
}

func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil {
		c.end()
	}
	return n, err
}

func (c *conn) Write(p []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.timeout)); err != nil {
		return 0, err
	}
	n, err := c.Conn.Write(p)
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) {
		patience := time.NewTimer(lastWords)
		defer patience.Stop()
		select {
		case <-c.heard:
		case <-patience.C:
		}
	}
	return n, err
}

// ReadFrom writes a body. net/http hands the rest of one over here once its
// own buffer is full; without it that would go in pieces of 32 KB.
func (c *conn) ReadFrom(r io.Reader) (written int64, err error) {
	buffer, _ := c.buffers.Get().(*[writeBuffer]byte)
	if buffer == nil {
		buffer = new([writeBuffer]byte)
	}
	defer c.buffers.Put(buffer)
	return io.CopyBuffer(struct{ io.Writer }{c}, struct{ io.Reader }{r}, buffer[:])
}

func (c *conn) Close() error {
	c.end()
	return c.Conn.Close()
}

func (c *conn) end() { c.once.Do(func() { close(c.heard) }) }
