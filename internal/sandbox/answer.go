package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"usher/internal/sandbox/operations"
)

// answer is an HTTP response.
type answer struct {
	status     int
	body       []byte
	retryAfter int      // seconds; 0: none
	allow      []string // the methods of a 405
}

// succeeded returns the answer of a success: out, which is an operation's Out, with the
// warnings.
func succeeded(out any, warnings []operations.Note) answer {
	data := map[string]json.RawMessage{}
	_ = json.Unmarshal(encode(out), &data) // out is an object
	if len(warnings) > 0 {
		data["warnings"] = encode(warnings)
	}
	return answer{status: http.StatusOK, body: encode(struct {
		Status string                     `json:"status"`
		Data   map[string]json.RawMessage `json:"data,omitempty"`
	}{"success", data})}
}

// failed returns the answer to an error. A failure with notes has the status fail, any other
// one the status error.
func failed(err error) answer {
	f := operations.FailureOf(err)
	a := answer{status: f.Status, retryAfter: f.RetryAfter, allow: f.Allow}
	if len(f.Notes) > 0 {
		a.body = encode(struct {
			Status string `json:"status"` // the first key, for people who read it
			Data   any    `json:"data"`
		}{"fail", map[string]any{"errors": f.Notes}})
		return a
	}
	a.body = encode(struct {
		Status  string `json:"status"`
		Message string `json:"message"`
		Code    string `json:"code"`
	}{"error", f.Message, f.FirstCode()})
	return a
}

// encode returns the JSON of one of the sandbox's own records, whose encoding cannot fail.
func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("sandbox: write %T as JSON: %v", v, err))
	}
	return text
}

// send writes an answer.
func (s *Sandbox) send(w http.ResponseWriter, a answer) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(a.body)))
	if a.retryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(a.retryAfter))
	}
	if len(a.allow) > 0 {
		h.Set("Allow", strings.Join(a.allow, ", "))
	}
	w.WriteHeader(a.status)
	if _, err := w.Write(a.body); err != nil {
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
	if f := (operations.Failure{}); !errors.As(err, &f) {
		s.o.Logger.Error("an operation failed", "op", op, "error", err)
	}
	return operations.FailureOf(err).FirstCode()
}
