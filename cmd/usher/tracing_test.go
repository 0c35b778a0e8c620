package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"usher/cmd/usher/internal/config"
)

// Traces are sent to otel.endpoint. Without an endpoint there is no tracer.
func TestTracer(t *testing.T) {
	t.Parallel()
	c, err := config.Defaults()
	if err != nil {
		t.Fatal(err)
	}
	noEnv := func(string) (string, bool) { return "", false }
	log := slog.New(slog.DiscardHandler)
	if tracer, stop, err := newTracer(t.Context(), c, noEnv, log); tracer != nil || err != nil {
		t.Errorf("newTracer without an endpoint returned %v, %v, want no tracer and no error", tracer, err)
	} else {
		stop()
	}
	requested := make(chan string, 10)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { requested <- r.URL.Path }))
	defer collector.Close()
	if err := c.Set("otel.endpoint", collector.URL); err != nil {
		t.Fatal(err)
	}
	tracer, stop, err := newTracer(t.Context(), c, noEnv, log)
	if err != nil {
		t.Fatal(err)
	}
	_, span := tracer.Start(t.Context(), "segment.add")
	span.End()
	stop()
	select {
	case path := <-requested:
		if path != "/v1/traces" {
			t.Errorf("traces were sent to %s, want /v1/traces", path)
		}
	default:
		t.Error("no trace was sent")
	}
}
