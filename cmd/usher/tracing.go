package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
)

// newTracer returns a tracer that sends to otel.endpoint, or to the endpoint in
// OpenTelemetry's environment variables. If neither is set, it returns nil. stop sends
// buffered traces.
func newTracer(ctx context.Context, c config.Config, getenv func(string) (string, bool), logger *slog.Logger) (tracer trace.Tracer, stop func(), err error) {
	endpoint := c.String("otel.endpoint")
	_, anySignal := getenv("OTEL_EXPORTER_OTLP_ENDPOINT")
	_, traces := getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
	if endpoint == "" && !anySignal && !traces {
		return nil, func() {}, nil
	}
	var options []otlptracehttp.Option
	if endpoint != "" {
		u, err := url.Parse(endpoint)
		if err != nil {
			return nil, nil, fmt.Errorf("read otel.endpoint: not a URL")
		}
		if u.Path == "" || u.Path == "/" {
			u.Path = "/v1/traces"
		}
		options = append(options, otlptracehttp.WithEndpointURL(u.String()))
	}
	exporter, err := otlptracehttp.New(ctx, options...)
	if err != nil {
		return nil, nil, fmt.Errorf("open otel.endpoint: %w", err)
	}
	name := resource.NewSchemaless(attribute.String("service.name", "usher"), attribute.String("service.version", version()),
		attribute.String("service.instance.id", connect.WorkerName(c)))
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(name))
	return provider.Tracer("usher"), func() {
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		if err := provider.Shutdown(ctx); err != nil {
			logger.Warn("sending the last traces failed", "error", err)
		}
	}, nil
}
