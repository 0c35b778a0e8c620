package rtb

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	writeBuffer = 256 << 10        // bytes; takes 8 ns per id, the default of 4 KB takes 12 ns
	dialTimeout = 10 * time.Second // ends a dial whose packets are dropped
	keepAlive   = 30 * time.Second // interval of TCP probes, which detect a dead peer
	idleTimeout = 90 * time.Second // of an idle connection; an upload over a new connection takes 13 times longer
	resetWait   = time.Second      // see conn
)

// NewHTTPClient returns an HTTP client for the platform.
//
// conns is the maximum number of connections; further requests wait. timeout bounds
// the time without progress: for each 256 KB of the body, and from the end of the body
// until the header of the answer. A whole request may take five times timeout.
//
// secure returns the settings of TLS for each connection; nil means the defaults.
//
// Redirects are not followed: they would send the token, or the password of a login,
// to another host. No proxy is used.
func NewHTTPClient(conns int, timeout time.Duration, secure func() (*tls.Config, error)) *http.Client {
	buffers := new(sync.Pool)
	dialer := &net.Dialer{Timeout: dialTimeout, KeepAlive: keepAlive}
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &conn{Conn: c, timeout: timeout, buffers: buffers, readEnd: make(chan struct{})}, nil
	}
	return &http.Client{
		Timeout:       LongestCall(timeout),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext:           dial,
			DialTLSContext:        dialTLS(dial, secure),
			TLSHandshakeTimeout:   dialTimeout,
			WriteBufferSize:       writeBuffer,
			ResponseHeaderTimeout: timeout,
			MaxConnsPerHost:       conns,
			MaxIdleConnsPerHost:   conns,
			IdleConnTimeout:       idleTimeout,
		},
	}
}

type dialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

// dialTLS returns a function that dials with TLS, or nil if secure is nil.
func dialTLS(dial dialFunc, secure func() (*tls.Config, error)) dialFunc {
	if secure == nil {
		return nil
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		settings, err := secure()
		if err != nil {
			return nil, err
		}
		if settings.ServerName, _, err = net.SplitHostPort(address); err != nil {
			return nil, err
		}
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		ctx, cancel := context.WithTimeout(ctx, dialTimeout)
		defer cancel()
		secured := tls.Client(c, settings)
		if err := secured.HandshakeContext(ctx); err != nil {
			_ = c.Close()
			return nil, err
		}
		return secured, nil
	}
}

// LongestCall returns how long a whole request of a client may take.
func LongestCall(timeout time.Duration) time.Duration { return 5 * timeout }

// conn is a connection on which an answer takes precedence over a write error. If a
// platform answers 413 and closes before it has read the body, the connection is reset
// while the answer is in the receive buffer. net/http then returns the answer or the
// write error, whichever it sees first. Therefore a failed write waits until everything
// is read, at most for resetWait.
type conn struct {
	net.Conn
	timeout time.Duration // of each write
	buffers *sync.Pool    // of *[writeBuffer]byte, for ReadFrom
	once    sync.Once
	readEnd chan struct{}               // closed after the last read
	held    atomic.Pointer[func() bool] // of the current request, see WhileHeld
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
	write := c.Conn.Write
	if held := c.held.Load(); held != nil && *held != nil {
		write = func(p []byte) (int, error) { return c.writeHeld(p, *held) }
	}
	n, err := write(p)
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

// ReadFrom writes a body in pieces of writeBuffer. net/http calls it with the rest of a
// body once its own buffer is full; without ReadFrom it would write pieces of 32 KB.
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
