package bench

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"usher/cmd/usher/internal/connect"
	"usher/internal/sandbox"
)

// platform is the sandbox, which notes when requests that pause or resume arrive.
type platform struct {
	url      string
	box      *sandbox.Sandbox
	server   *http.Server
	serving  sync.WaitGroup
	arrivals chan time.Time
}

// startPlatform serves the sandbox on loopback. It keeps no sets of digests, which would take
// longer than what is measured.
func startPlatform(ctx context.Context) (*platform, error) {
	box, err := sandbox.Open(sandbox.Options{Members: "fingerprint", ApprovalDelay: -1})
	if err != nil {
		return nil, err
	}
	listener, err := connect.Listen(ctx, "127.0.0.1:0", "the sandbox")
	if err != nil {
		return nil, errors.Join(err, box.Close())
	}
	p := &platform{url: "http://" + listener.Addr().String(), box: box, arrivals: make(chan time.Time, 1)}
	p.server = &http.Server{Handler: p, ReadHeaderTimeout: 10 * time.Second}
	p.serving.Go(func() { _ = p.server.Serve(listener) }) // returns after Close
	return p, nil
}

// ServeHTTP implements http.Handler.
func (p *platform) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/status") {
		select {
		case p.arrivals <- time.Now():
		default: // a second creative of the same action
		}
	}
	p.box.ServeHTTP(w, r)
}

func (p *platform) stop() error {
	err := p.box.Close() // before the server, because it releases requests
	_ = p.server.Close()
	p.serving.Wait()
	return err
}
