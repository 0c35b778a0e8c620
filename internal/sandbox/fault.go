package sandbox

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"usher/internal/rtb"
	"usher/internal/sandbox/envelope"
)

// The kinds of faults. Applied means that the request has its effect in spite of the fault.
const (
	kindStatus      = "status"       // answers status and body; not applied
	kindResetBefore = "reset_before" // resets the connection without reading the body; not applied
	kindResetBody   = "reset_body"   // resets the connection in the middle of the body; not applied
	kindResetAfter  = "reset_after"  // applied, then resets the connection: a lost answer
	kindEarly413    = "early_413"    // answers 413 before the body is read, and closes; not applied
	kindHang        = "hang"         // reads the whole request and never answers; not applied
	kindSlow        = "slow"         // applied, the answer comes delayMs later
	kindLate        = "late"         // applied delayMs later, or once the faults are removed; even if the caller has disconnected
	kindBrokenJSON  = "broken_json"  // applied, the answer is 200 with half its JSON
	kindWarnings    = "warnings"     // applied, a success has the warnings of body
)

var kinds = []string{kindStatus, kindResetBefore, kindResetBody, kindResetAfter, kindEarly413, kindHang, kindSlow, kindLate, kindBrokenJSON, kindWarnings}

// fault is an ordered fault. Patterns are those of path.Match.
type fault struct {
	ID     int64  `json:"id"`
	Op     string `json:"op,omitempty"`     // a pattern of operation names: segments.upload, campaigns.*
	Method string `json:"method,omitempty"` // or a method …
	Path   string `json:"path,omitempty"`   // … and a pattern of paths: /v3/segments/*/users

	Kind       string          `json:"kind"`
	Status     int             `json:"status,omitempty"`     // of kind status
	Body       json.RawMessage `json:"body,omitempty"`       // a string is sent as it is, anything else as JSON; of warnings: a list of {code, description}
	RetryAfter int             `json:"retryAfter,omitempty"` // seconds
	DelayMS    int64           `json:"delayMs,omitempty"`    // of kinds slow and late; 0: until the faults are removed

	After int    `json:"after,omitempty"` // matching requests to skip
	Times int    `json:"times,omitempty"` // matching requests to hit; default 1, or all if for is given
	For   string `json:"for,omitempty"`   // a duration from now: 60s

	Seen  int        `json:"seen"` // matching requests so far
	Made  int        `json:"made"` // requests that were hit
	Until *time.Time `json:"until,omitempty"`

	removed <-chan struct{} // closed when the faults are removed
}

// complete fills in the defaults of an order and returns an error if it breaks a
// rule.
func (f *fault) complete(now time.Time) error {
	if f.Kind == "" && f.Status != 0 {
		f.Kind = kindStatus
	}
	f.Seen, f.Made = 0, 0
	switch {
	case !slices.Contains(kinds, f.Kind):
		return envelope.Invalid("kind", fmt.Sprintf("is %q, must be one of %s", f.Kind, strings.Join(kinds, ", ")))
	case f.Op == "" && f.Method == "" && f.Path == "":
		return envelope.Invalid("op", "or method and path are required")
	case f.Kind == kindStatus && (f.Status < 200 || f.Status > 599):
		return envelope.Invalid("status", "must be 200 to 599")
	case min(int64(f.Times), int64(f.After), f.DelayMS, int64(f.RetryAfter)) < 0:
		return envelope.Invalid("times, after, delayMs, retryAfter", "must not be negative")
	}
	if _, err := path.Match(f.Path, ""); err != nil {
		return envelope.Invalid("path", "is not a pattern")
	}
	if err := f.checkOp(); err != nil {
		return err
	}
	return f.setEnd(now)
}

// setEnd sets Times or Until.
func (f *fault) setEnd(now time.Time) error {
	if f.For == "" {
		f.Times, f.Until = max(f.Times, 1), nil
		return nil
	}
	duration, err := time.ParseDuration(f.For)
	if err != nil || duration <= 0 {
		return envelope.Invalid("for", fmt.Sprintf("is %q, must be a duration such as 60s", f.For))
	}
	until := now.Add(duration)
	f.Until = &until
	return nil
}

// checkOp checks that an operation's name or pattern matches an operation.
func (f *fault) checkOp() error {
	if f.Op == "" {
		return nil
	}
	var names []string
	for _, op := range rtb.Operations() {
		if matched, err := path.Match(f.Op, op.Name); err == nil && matched {
			return nil
		}
		names = append(names, op.Name)
	}
	return envelope.Invalid("op", fmt.Sprintf("is %q, must be or match one of %s", f.Op, strings.Join(names, ", ")))
}

func (f *fault) matches(op, method, requestPath string) bool {
	if f.Op != "" {
		matched, _ := path.Match(f.Op, op)
		return matched
	}
	matched := f.Path == ""
	if !matched {
		matched, _ = path.Match(f.Path, requestPath)
	}
	return matched && (f.Method == "" || strings.EqualFold(f.Method, method))
}

// spent reports whether the fault will hit no further requests.
func (f *fault) spent(now time.Time) bool {
	return f.Times > 0 && f.Made >= f.Times || f.Until != nil && !now.Before(*f.Until)
}

// answer returns the answer of a fault of kind status: the ordered body, or an
// envelope that fits the status.
func (f *fault) answer() answer {
	return answer{status: f.Status, body: f.body(), retryAfter: f.RetryAfter}
}

func (f *fault) body() []byte {
	const message = "ordered fault"
	var plain string
	switch {
	case len(f.Body) == 0 && f.Status/100 == 2:
		return done()
	case len(f.Body) == 0 && f.Status == http.StatusBadRequest:
		return envelope.Failure{Status: f.Status, Notes: []envelope.Note{{Code: envelope.CodeInvalid, Description: message}}}.Body()
	case len(f.Body) == 0:
		code := map[int]string{http.StatusUnauthorized: envelope.CodeNoToken, http.StatusForbidden: envelope.CodeNoRight}[f.Status]
		return envelope.Failure{Status: f.Status, Code: code, Message: message}.Body()
	case json.Unmarshal(f.Body, &plain) == nil:
		return []byte(plain)
	}
	return f.Body
}

// warnings returns the warnings of a fault of kind warnings.
func (f *fault) warnings() []envelope.Note {
	var list []envelope.Note
	if err := json.Unmarshal(f.Body, &list); err != nil || len(list) == 0 {
		return []envelope.Note{{Code: "W10001", Description: "ordered warning"}}
	}
	return list
}
