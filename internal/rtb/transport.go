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

const (
	writeBuffer = 256 << 10        // bytes; 8 ns an id, compared with 12 for the default of 4 KB
	dialTimeout = 10 * time.Second // if packets are dropped
	keepAlive   = 30 * time.Second // of TCP probes, which notice a dead peer
	idleTimeout = 90 * time.Second // of an idle connection; an upload over a new connection costs 13 times more
	resetWait   = time.Second      // see conn
)

// NewHTTPClient returns an HTTP client for the platform.
//
// conns is the largest number of connections; further requests wait. timeout bounds
// the time without progress: until the header of the answer after the body was sent,
// and for each 256 KB of the body. A request takes at most five times as long in
// total.
//
// Redirects are not followed: they would send the token, or the password of a login,
// to another host. No proxy is used.
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
				return &conn{Conn: c, timeout: timeout, buffers: buffers, readEnd: make(chan struct{})}, nil
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

// conn is a connection on which an answer takes precedence over a write error. A
// platform that answers 413 and closes before it has read the body resets the
// connection. The answer is then in the receive buffer, but net/http returns the
// answer or the write error, whichever it sees first. Therefore a write that was reset
// waits until everything is read, at most resetWait.
type conn struct {
	net.Conn
	timeout time.Duration // of each write
	buffers *sync.Pool    // of *[writeBuffer]byte, for ReadFrom
	once    sync.Once
	readEnd chan struct{} // closed when nothing more can be read
}

func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil {
		c.endRead()
	}
	return n, err
}

func (c *conn) Write(p []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.timeout)); err != nil {
		return 0, err
	}
	n, err := c.Conn.Write(p)
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) {
		timer := time.NewTimer(resetWait)
		defer timer.Stop()
		select {
		case <-c.readEnd:
		case <-timer.C:
		}
	}
	return n, err
}

// ReadFrom writes a body. net/http calls it with the rest of a body once its own
// buffer is full; otherwise it would write pieces of 32 KB.
func (c *conn) ReadFrom(r io.Reader) (written int64, err error) {
	buffer, _ := c.buffers.Get().(*[writeBuffer]byte)
	if buffer == nil {
		buffer = new([writeBuffer]byte)
	}
	defer c.buffers.Put(buffer)
	return io.CopyBuffer(struct{ io.Writer }{c}, struct{ io.Reader }{r}, buffer[:])
}

func (c *conn) Close() error {
	c.endRead()
	return c.Conn.Close()
}

func (c *conn) endRead() { c.once.Do(func() { close(c.readEnd) }) }
