package intake_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"usher/internal/intake"
)

// pipes is a listener whose connections are in memory, so that time can be virtual.
type pipes struct {
	incoming chan net.Conn
	closed   chan struct{}
	once     sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.incoming:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.closed) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial() net.Conn {
	client, server := net.Pipe()
	p.incoming <- server
	return client
}

// serveInMemory serves an Intake without jobs, for requests that end before they need
// any. It must be called in a bubble of synctest.
func serveInMemory(t *testing.T) (dial func() net.Conn, token string) {
	t.Helper()
	token, line := newToken(t, "crm")
	path := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	logger := slog.New(slog.DiscardHandler)
	tokens, err := intake.OpenTokens(path, kinds(), logger, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	p := &pipes{incoming: make(chan net.Conn), closed: make(chan struct{})}
	server := intake.NewServer(intake.New(intake.Options{Tokens: tokens}))
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(intake.LimitConnections(p)) }) // ends with Close
	t.Cleanup(func() { _ = server.Close(); serving.Wait() })
	return p.dial, token
}

// A client that sends a byte a second is cut within a minute, and one that reads no
// response as well.
func TestSlowClientsAreCut(t *testing.T) {
	t.Parallel()
	const head = "POST /v1/jobs/segment.add HTTP/1.1\r\nHost: usher\r\n"
	for name, c := range map[string]struct {
		sent  string // at once; then a byte a second
		reads bool
	}{
		"in the request line":          {"POST /v1", true},
		"in the headers":               {head + "X-Slow: ", true},
		"in the body":                  {head + "Authorization: Bearer TOKEN\r\nContent-Length: 100000\r\n\r\n", true},
		"in chunks":                    {head + "Authorization: Bearer TOKEN\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n", true},
		"in the body without a token":  {head + "Content-Length: 100000\r\n\r\n", true},
		"in a body that is too large":  {head + "Authorization: Bearer TOKEN\r\nContent-Length: 100000000\r\n\r\n", true},
		"in a body that is not read":   {"PUT /v1/jobs/j1 HTTP/1.1\r\nHost: usher\r\nAuthorization: Bearer TOKEN\r\nContent-Length: 100000\r\n\r\n", true},
		"in the body of a second":      {"PUT /v1/jobs/j1 HTTP/1.1\r\nHost: usher\r\nAuthorization: Bearer TOKEN\r\n\r\n" + head + "Authorization: Bearer TOKEN\r\nContent-Length: 100000\r\n\r\n", true},
		"without reading the response": {"PUT /v1/jobs/j1 HTTP/1.1\r\nHost: usher\r\nAuthorization: Bearer TOKEN\r\n\r\n", false},
		"without reading a refusal":    {head + "Content-Length: 10\r\n\r\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				dial, token := serveInMemory(t)
				conn := dial()
				defer conn.Close()
				start, cut := time.Now(), make(chan time.Duration, 1)
				go func() {
					if c.reads {
						_, _ = io.Copy(io.Discard, conn) // ends when the server closes the connection
						cut <- time.Since(start)
					}
				}()
				_, err := io.WriteString(conn, strings.ReplaceAll(c.sent, "TOKEN", token))
				for err == nil {
					time.Sleep(time.Second)
					_, err = conn.Write([]byte("x"))
				}
				if !c.reads {
					cut <- time.Since(start)
				}
				if took := <-cut; took >= time.Minute || !errors.Is(err, io.ErrClosedPipe) {
					t.Errorf("cut after %s: %v", took, err)
				}
			})
		})
	}
}

// A large body at a usable rate is read to its end, however long that takes.
func TestLargeBodyIsNotCut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dial, token := serveInMemory(t)
		client := &http.Client{Transport: &http.Transport{
			DisableKeepAlives: true,
			DialContext:       func(context.Context, string, string) (net.Conn, error) { return dial(), nil },
		}}
		body, writer := io.Pipe()
		go func() {
			part := make([]byte, 100<<10)
			for err := error(nil); err == nil; _, err = writer.Write(part) {
				time.Sleep(time.Second)
			}
		}()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://usher/v1/jobs/segment.add", body)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		start := time.Now()
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusRequestEntityTooLarge || time.Since(start) < 10*time.Minute {
			t.Errorf("%s after %s, want 413 behind 64 MiB", answer.Status, time.Since(start))
		}
		_ = body.Close()
	})
}

// A connection that stays open without a request is closed, so that others come in.
func TestIdleConnectionIsClosed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dial, token := serveInMemory(t)
		conn := dial()
		defer conn.Close()
		if _, err := io.WriteString(conn, "PUT /v1/jobs/j1 HTTP/1.1\r\nHost: usher\r\nAuthorization: Bearer "+token+"\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		read := bufio.NewReader(conn)
		answer, err := http.ReadResponse(read, nil)
		if err != nil || answer.StatusCode != http.StatusMethodNotAllowed {
			t.Fatal(answer, err)
		}
		_, _ = io.Copy(io.Discard, answer.Body)
		start := time.Now()
		if _, err := read.ReadByte(); !errors.Is(err, io.EOF) || time.Since(start) > 2*time.Minute {
			t.Errorf("%v after %s", err, time.Since(start))
		}
	})
}
