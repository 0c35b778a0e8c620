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

// startSpan starts the span of a piece of work. If the publisher sent a traceparent, the
// spans of a job's first run and of its parts are its children, and a replay is a separate
// trace that links to it. Otherwise the trace id derives from the job's id and run, so that
// parts on other workers are in the same trace. Calls of the platform (internal/rtb) start
// child spans.
func (w *Worker) startSpan(ctx context.Context, work *usher.Work) (context.Context, trace.Span) {
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
	parent := publishersSpan(work.Trace)
	if work.Run > 1 && parent.IsValid() {
		options = append(options, trace.WithLinks(trace.Link{SpanContext: parent}))
	}
	if work.Run > 1 || !parent.IsValid() {
		parent = spanOfRun(work.ID, work.Run)
	}
	return tracer.Start(trace.ContextWithRemoteSpanContext(ctx, parent), string(work.Kind), options...) //nolint:spancheck // endSpan ends it
}

// publishersSpan parses a traceparent. The result is not valid if it is empty or malformed.
func publishersSpan(traceparent string) trace.SpanContext {
	carrier := propagation.MapCarrier{"traceparent": traceparent}
	return trace.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), carrier))
}

// spanOfRun returns the root of the trace of a run without a traceparent.
func spanOfRun(id string, run int) trace.SpanContext {
	sum := sha256.Sum256(fmt.Appendf(nil, "usher %s/%d", id, run))
	return trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID(sum[:16]), SpanID: trace.SpanID(sum[16:24]), TraceFlags: trace.FlagsSampled, Remote: true,
	})
}

// endSpan ends a span with the result of its work. Errors of usher contain no device id.
func endSpan(span trace.Span, err error) {
	if err != nil {
		span.SetStatus(codes.Error, err.Error())
	}
	span.End()
}
