package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"usher/cmd/usher/internal/config"
)

// Traces go to otel.endpoint, or nowhere.
func TestTracer(t *testing.T) {
	t.Parallel()
	c, err := config.Defaults()
	if err != nil {
		t.Fatal(err)
	}
	none := func(string) (string, bool) { return "", false }
	log := slog.New(slog.DiscardHandler)
	if tracer, stop, err := newTracer(t.Context(), c, none, log); tracer != nil || err != nil {
		t.Errorf("without an endpoint there is %v, %v", tracer, err)
	} else {
		stop()
	}
	asked := make(chan string, 10)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r.URL.Path }))
	defer collector.Close()
	if err := c.Set("otel.endpoint", collector.URL); err != nil {
		t.Fatal(err)
	}
	tracer, stop, err := newTracer(t.Context(), c, none, log)
	if err != nil {
		t.Fatal(err)
	}
	_, span := tracer.Start(t.Context(), "segment.add")
	span.End()
	stop()
	select {
	case path := <-asked:
		if path != "/v1/traces" {
			t.Errorf("traces went to %s", path)
		}
	default:
		t.Error("no trace was sent")
	}
}
