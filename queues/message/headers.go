package message

import (
	"strings"

	"github.com/nats-io/nats.go"
)

// Headers of messages, in addition to those of CloudEvents (ce-*). Those with the prefix
// are usher's own: they are read only on subjects that publishers may not use.
const (
	headerPrefix    = "Usher-"
	HeaderRun       = "Usher-Run"       // of a replay: the run it starts, 2, 3, …
	HeaderOrder     = "Usher-Order"     // of a replay: the first publish's sequence
	HeaderDropped   = "Usher-Dropped"   // the tally of the inline ids that were dropped, JSON
	HeaderPublisher = "Usher-Publisher" // who submitted the job, as a service of usher has found out
	HeaderReplay    = "Usher-Replay"    // of a run, and of its letter: the name of the replay that published it
	HeaderEdited    = "Usher-Edited"    // of a replay with an edited body: a usher.Edit
	HeaderMsgID     = "Nats-Msg-Id"
	HeaderEventID   = "ce-id"
	HeaderTrace     = "traceparent"
)

// RefusedHeader says why a message of a publisher with a header of usher is not valid.
const RefusedHeader = "the message has a header whose name begins with Usher-, which only usher may set"

// HasUsherHeader reports whether a header's name begins with Usher-, in any case.
func HasUsherHeader(header nats.Header) bool {
	for name := range header {
		if len(name) >= len(headerPrefix) && strings.EqualFold(name[:len(headerPrefix)], headerPrefix) {
			return true
		}
	}
	return false
}

// TraceOf returns a message's valid traceparent, or "". It is stored and shown, so it is
// checked: 00-<32 hex digits>-<16>-<2>.
func TraceOf(header nats.Header) string {
	text := header.Get(HeaderTrace)
	parts := strings.Split(text, "-")
	if len(parts) != 4 || len(parts[0]) != 2 || len(parts[1]) != 32 || len(parts[2]) != 16 || len(parts[3]) != 2 {
		return ""
	}
	if strings.Trim(text, "0123456789abcdef-") != "" {
		return ""
	}
	return text
}

// TraceID returns the trace ID of a traceparent, or "" if it is empty.
func TraceID(traceparent string) string {
	if len(traceparent) < 35 {
		return ""
	}
	return traceparent[3:35]
}
