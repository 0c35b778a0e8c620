package sandbox

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"usher/internal/sandbox/envelope"
)

// answer is an HTTP response.
type answer struct {
	status     int
	body       []byte
	stream     func(io.Writer) error // writes the body, if it is too large for memory
	retryAfter int                   // seconds; 0: none
	allow      []string              // the methods of a 405
}

// succeeded returns the answer of a success. out is an operation's Out, or a Listing.
func succeeded(out any, warnings []envelope.Note) answer {
	if listing, ok := out.(envelope.Listing); ok {
		return answer{status: http.StatusOK, stream: func(w io.Writer) error { return listing.Write(w, warnings) }}
	}
	return answer{status: http.StatusOK, body: envelope.Success(out, warnings)}
}

// failed returns the answer to an error.
func failed(err error) answer {
	f := envelope.FailureOf(err)
	return answer{status: f.Status, body: f.Body(), retryAfter: f.RetryAfter, allow: f.Allow}
}

// inMemory returns the answer with its body in memory.
func (a answer) inMemory() answer {
	if a.stream != nil {
		var b strings.Builder
		_ = a.stream(&b) // a Builder does not fail
		a.body, a.stream = []byte(b.String()), nil
	}
	return a
}

// send writes an answer.
func (s *Sandbox) send(w http.ResponseWriter, a answer) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	if a.stream == nil {
		h.Set("Content-Length", strconv.Itoa(len(a.body)))
		a.stream = func(w io.Writer) error { _, err := w.Write(a.body); return err }
	}
	if a.retryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(a.retryAfter))
	}
	if len(a.allow) > 0 {
		h.Set("Allow", strings.Join(a.allow, ", "))
	}
	w.WriteHeader(a.status)
	if err := a.stream(w); err != nil {
		s.o.Logger.Debug("the caller disconnected before its answer was sent", "error", err)
	}
}

// drainLimit is the maximum number of bytes of an unused body that are read before the
// answer, so that a caller who is still writing receives the answer.
const drainLimit = 64 << 20

func drain(r *http.Request) { _, _ = io.CopyN(io.Discard, r.Body, drainLimit) }

// errorCode returns the code of the failure in err. It logs any other error, which the
// caller receives as a 500.
func (s *Sandbox) errorCode(op string, err error) string {
	if f := (envelope.Failure{}); !errors.As(err, &f) {
		s.o.Logger.Error("an operation failed", "op", op, "error", err)
	}
	return envelope.FailureOf(err).FirstCode()
}
