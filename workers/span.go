package workers

import (
	"context"
	"crypto/sha256"
	"fmt"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"usher"
)

// begin starts the span of a piece of work. Where the publisher gave a
// traceparent, a job's first run and its parts are below that; a replay is a
// trace of its own, linked to it. Without one the trace follows from id and run,
// so that parts on other workers are in the same. Calls of the platform make
// spans below it (internal/rtb).
func (w *Worker) begin(ctx context.Context, work *usher.Work) (context.Context, trace.Span) {
	tracer := w.Tracer
	if tracer == nil {
		tracer = noop.Tracer{}
	}
	attributes := []attribute.KeyValue{
		attribute.String("usher.job", work.ID), attribute.Int("usher.run", work.Run),
		attribute.String("usher.kind", string(work.Kind)), attribute.Int("usher.attempt", work.Attempts),
	}
	if work.Parts > 0 {
		attributes = append(attributes, attribute.Int("usher.part", work.Part), attribute.Int("usher.parts", work.Parts))
	}
	options := []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindConsumer), trace.WithAttributes(attributes...)}
	parent := published(work.Trace)
	if work.Run > 1 && parent.IsValid() {
		options = append(options, trace.WithLinks(trace.Link{SpanContext: parent}))
	}
	if work.Run > 1 || !parent.IsValid() {
		parent = ofRun(work.ID, work.Run)
	}
	return tracer.Start(trace.ContextWithRemoteSpanContext(ctx, parent), string(work.Kind), options...) //nolint:spancheck // end ends it
}

// published is what a traceparent says; not valid for none.
func published(traceparent string) trace.SpanContext {
	carrier := propagation.MapCarrier{"traceparent": traceparent}
	return trace.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), carrier))
}

// ofRun is the trace of a job's run that has none by its publisher.
func ofRun(id string, run int) trace.SpanContext {
	sum := sha256.Sum256(fmt.Appendf(nil, "usher %s/%d", id, run))
	return trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID(sum[:16]), SpanID: trace.SpanID(sum[16:24]), TraceFlags: trace.FlagsSampled, Remote: true,
	})
}

// end ends a span with how its work went: errors of ours name no device.
func end(span trace.Span, err error) {
	if err != nil {
		span.SetStatus(codes.Error, err.Error())
	}
	span.End()
}
