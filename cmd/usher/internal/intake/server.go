package intake

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"usher"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/internal/intake"
	"usher/queues"
)

// stopTime is how long Stop waits for requests that are being answered.
const stopTime = 5 * time.Second

// Server serves jobs over HTTP.
type Server struct {
	URL     string // empty if intake.listen is
	tokens  *intake.Tokens
	server  *http.Server
	serving sync.WaitGroup
}

// Open listens at intake.listen, or takes over listener unless it is nil, and serves the
// jobs of a queue.
func Open(ctx context.Context, c config.Config, queue *queues.Queue, outcomes intake.Outcomes, registry prometheus.Registerer, logger *slog.Logger, listener net.Listener) (*Server, error) {
	address := c.String("intake.listen")
	if address == "" {
		return &Server{}, nil
	}
	certificate, err := connect.Certificate(c, "intake")
	if err != nil {
		return nil, err
	}
	if certificate == nil {
		if err := connect.CheckPlain(c, "intake", "tokens and device ids would be sent"); err != nil {
			return nil, err
		}
	}
	path := c.String("intake.tokens")
	if path == "" {
		return nil, errors.New("read intake.tokens: it is empty, so nobody could submit jobs at intake.listen: name a file, and create a token in it with `usher intake token NAME --file FILE`")
	}
	tokens, err := intake.OpenTokens(path, usher.Kinds(), logger, time.Now)
	if err != nil {
		return nil, fmt.Errorf("read intake.tokens: %w", err)
	}
	if listener == nil {
		if listener, err = connect.Listen(ctx, address, "jobs over HTTP (intake.listen)"); err != nil {
			return nil, err
		}
	}
	s := &Server{URL: "http://" + listener.Addr().String(), tokens: tokens, server: intake.NewServer(intake.New(intake.Options{
		Jobs: queue, Records: queue.Status(), Tokens: tokens, Outcomes: outcomes, Advertiser: c.String("platform.advertiser"), Rate: c.Float64("intake.rate"), Metrics: registry, Logger: logger,
	}))}
	listener = intake.LimitConnections(listener)
	if certificate != nil {
		s.URL, listener = "https://"+listener.Addr().String(), tls.NewListener(listener, certificate)
	}
	logger.Info("jobs over HTTP are served", "url", s.URL, "tokens", path)
	s.serving.Go(func() {
		_ = s.server.Serve(listener) // ends with Stop
	})
	return s, nil
}

// Advertisers returns the advertisers that lines of the token file name.
func (s *Server) Advertisers() []string {
	if s.tokens == nil {
		return nil
	}
	return s.tokens.Advertisers()
}

// Stop ends the server after the requests that it is answering.
func (s *Server) Stop() {
	if s.server == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	if s.server.Shutdown(ctx) != nil {
		_ = s.server.Close() // it has waited long enough
	}
	s.serving.Wait()
}
