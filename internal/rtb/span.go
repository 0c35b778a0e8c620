package rtb

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// beginCall starts the span of a call as a child of the caller's span, with the same
// tracer provider. The span's context is not sent to the platform.
func beginCall(ctx context.Context, op Operation) (context.Context, trace.Span) {
	tracer := trace.SpanFromContext(ctx).TracerProvider().Tracer("usher/internal/rtb")
	return tracer.Start(ctx, op.Name, //nolint:spancheck // endCall ends it
		trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attribute.String("http.request.method", op.Method)))
}

// endCall ends the span with the status of the answer; 0: no answer.
func endCall(span trace.Span, status int, err error) {
	span.SetAttributes(attribute.Int("http.response.status_code", status))
	if err != nil {
		span.SetStatus(codes.Error, err.Error())
	}
	span.End()
}
