package rtb_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
)

// slowPlatform reads a part of each body and then waits.
type slowPlatform struct {
	reading chan struct{} // receives when a body is being read
	goOn    chan struct{}
	read    chan error // receives the end of each body
}

func (p *slowPlatform) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength > 0 {
		_, _ = io.CopyN(io.Discard, r.Body, 1000)
		p.reading <- struct{}{}
		<-p.goOn
		_, err := io.Copy(io.Discard, r.Body)
		p.read <- err
	}
	_, _ = io.WriteString(w, `{"status":"OK","response":{}}`)
}

// The rest of a request is not sent when its lease is lost while a write waits for room, over
// TCP and over TLS.
func TestNoRestIsSentWithoutLease(t *testing.T) {
	t.Parallel()
	for _, secure := range []bool{false, true} {
		t.Run(map[bool]string{false: "TCP", true: "TLS"}[secure], func(t *testing.T) {
			t.Parallel()
			p := &slowPlatform{reading: make(chan struct{}), goOn: make(chan struct{}), read: make(chan error)}
			server := httptest.NewUnstartedServer(p)
			var settings func() (*tls.Config, error)
			if server.Start(); secure {
				server.Close()
				server = httptest.NewTLSServer(p)
				settings = func() (*tls.Config, error) {
					roots := x509.NewCertPool()
					roots.AddCert(server.Certificate())
					return &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}, nil
				}
			}
			t.Cleanup(server.Close)
			client := rtb.NewHTTPClient(1, time.Minute, settings)
			t.Cleanup(client.CloseIdleConnections)
			c := rtb.New(rtb.Options{BaseURL: server.URL, Tokens: tokens("token"), HTTP: client})
			var lost atomic.Bool
			ctx := rtb.WhileHeld(t.Context(), func() bool { return !lost.Load() })
			upload := func() error {
				b := batchOf(500_000, func() {}) // more than the buffers of both sides hold
				defer b.Release()
				return c.Segments.Upload(ctx, "1", b)
			}
			ended := make(chan error)
			for _, loses := range []bool{false, true} {
				go func() { ended <- upload() }()
				<-p.reading
				lost.Store(loses)
				p.goOn <- struct{}{}
				if err := <-p.read; (err != nil) != loses {
					t.Errorf("lease lost: %v; the platform read the body: %v", loses, err)
				}
				if err := <-ended; errors.Is(err, usher.ErrLeaseLost) != loses {
					t.Errorf("lease lost: %v; the upload ended: %v", loses, err)
				}
			}
			if _, err := c.Segments.List(t.Context()); errors.Is(err, usher.ErrLeaseLost) {
				t.Error("a call that needs no lease was refused")
			}
		})
	}
}

// A request that has waited for the rate limit until its lease was lost is not sent.
func TestNoRequestIsSentWithoutLease(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	t.Cleanup(server.Close)
	client := rtb.NewHTTPClient(1, time.Minute, nil)
	t.Cleanup(client.CloseIdleConnections)
	held := true
	c := rtb.New(rtb.Options{
		BaseURL: server.URL, Tokens: tokens("token"), HTTP: client,
		Gate: func(context.Context) error { held = false; return nil },
	})
	b := batchOf(10, func() {})
	defer b.Release()
	err := c.Segments.Upload(rtb.WhileHeld(t.Context(), func() bool { return held }), "1", b)
	if !errors.Is(err, usher.ErrLeaseLost) || requests.Load() != 0 {
		t.Errorf("%d requests were sent: %v", requests.Load(), err)
	}
}
