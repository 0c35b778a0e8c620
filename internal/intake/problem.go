package intake

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"usher/internal/readable"
	"usher/queues/schema"
)

const (
	writeTime  = 30 * time.Second // to send a response
	retryAfter = 5 * time.Second  // how long clients wait while NATS is unavailable
)

// problem is an error response: problem details of RFC 9457.
type problem struct {
	Type   string         `json:"type"`
	Title  string         `json:"title"`
	Status int            `json:"status"`
	Detail string         `json:"detail"`
	Errors []schema.Issue `json:"errors,omitempty"`

	header http.Header
	cause  error // for the log, or nil
}

func (p *problem) Error() string { return p.Detail }
func (p *problem) Unwrap() error { return p.cause }

func refuse(status int, format string, args ...any) *problem {
	return &problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: fmt.Sprintf(format, args...),
		header: http.Header{},
	}
}

// with adds a header to the response.
func (p *problem) with(name, value string) *problem {
	p.header.Set(name, value)
	return p
}

// after adds Retry-After, in whole seconds.
func (p *problem) after(d time.Duration) *problem {
	return p.with("Retry-After", strconv.Itoa(int(max(1, math.Ceil(d.Seconds())))))
}

// invalid is the response to a job with issues.
func invalid(issues ...schema.Issue) *problem {
	p := refuse(http.StatusBadRequest, "the job is not valid: %s", schema.Describe(issues))
	p.Errors = issues
	return p
}

// unavailable is the response while jobs cannot be stored or read.
func unavailable(cause error, detail string) *problem {
	p := refuse(http.StatusServiceUnavailable, "%s", detail).after(retryAfter)
	p.cause = cause
	return p
}

// writeJSON writes a response. A client that reads it too slowly is
// disconnected.
func writeJSON(w http.ResponseWriter, contentType string, status int, value any) {
	data, err := json.Marshal(value)
	if err != nil { // the types of all responses can be encoded
		status, data = http.StatusInternalServerError, []byte("{}")
	}
	data = []byte(readable.Unbidi(string(data)))
	// It fails only if the client is gone.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime))
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(status)
	_, _ = w.Write(data) // an error means that the client is gone
}
