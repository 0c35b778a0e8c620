package rtb

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// beginCall starts the span of one call of the platform, below the caller's and
// by its provider: where nobody traces, this costs nothing. The platform is not
// told of it.
func beginCall(ctx context.Context, op Operation) (context.Context, trace.Span) {
	tracer := trace.SpanFromContext(ctx).TracerProvider().Tracer("usher/internal/rtb")
	return tracer.Start(ctx, op.Name, //nolint:spancheck // endCall ends it
		trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attribute.String("http.request.method", op.Method)))
}

// endCall ends it with the answer's status; 0: there was none.
func endCall(span trace.Span, status int, err error) {
	span.SetAttributes(attribute.Int("http.response.status_code", status))
	if err != nil {
		span.SetStatus(codes.Error, err.Error())
	}
	span.End()
}
