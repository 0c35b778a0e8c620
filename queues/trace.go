package queues

import (
	"strings"

	"github.com/nats-io/nats.go"
)

// traceOf returns a message's valid traceparent, or "". It is stored and shown, so it is
// checked: 00-<32 hex digits>-<16>-<2>.
func traceOf(header nats.Header) string {
	text := header.Get(headerTrace)
	parts := strings.Split(text, "-")
	if len(parts) != 4 || len(parts[0]) != 2 || len(parts[1]) != 32 || len(parts[2]) != 16 || len(parts[3]) != 2 {
		return ""
	}
	if strings.Trim(text, "0123456789abcdef-") != "" {
		return ""
	}
	return text
}

// traceID returns the trace ID of a traceparent.
func traceID(traceparent string) string {
	if len(traceparent) < 35 {
		return ""
	}
	return traceparent[3:35]
}
