package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"usher/internal/rtb"
	"usher/internal/sandbox/operations"
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
		return operations.Invalid("kind", fmt.Sprintf("is %q, must be one of %s", f.Kind, strings.Join(kinds, ", ")))
	case f.Op == "" && f.Method == "" && f.Path == "":
		return operations.Invalid("op", "or method and path are required")
	case f.Kind == kindStatus && (f.Status < 200 || f.Status > 599):
		return operations.Invalid("status", "must be 200 to 599")
	case min(int64(f.Times), int64(f.After), f.DelayMS, int64(f.RetryAfter)) < 0:
		return operations.Invalid("times, after, delayMs, retryAfter", "must not be negative")
	}
	if _, err := path.Match(f.Path, ""); err != nil {
		return operations.Invalid("path", "is not a pattern")
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
		return operations.Invalid("for", fmt.Sprintf("is %q, must be a duration such as 60s", f.For))
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
	return operations.Invalid("op", fmt.Sprintf("is %q, must be or match one of %s", f.Op, strings.Join(names, ", ")))
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
		return failed(operations.Failure{Status: f.Status, Notes: []operations.Note{{Code: operations.CodeInvalid, Description: message}}}).body
	case len(f.Body) == 0:
		code := map[int]string{http.StatusUnauthorized: operations.CodeNoToken, http.StatusForbidden: operations.CodeNoRight}[f.Status]
		return failed(operations.Failure{Status: f.Status, Code: code, Message: message}).body
	case json.Unmarshal(f.Body, &plain) == nil:
		return []byte(plain)
	}
	return f.Body
}

// warnings returns the warnings of a fault of kind warnings.
func (f *fault) warnings() []operations.Note {
	var list []operations.Note
	if err := json.Unmarshal(f.Body, &list); err != nil || len(list) == 0 {
		return []operations.Note{{Code: "W10001", Description: "ordered warning"}}
	}
	return list
}

// fail reports whether f prevents the request from having an effect. If so, it writes the
// entry of the journal and then answers the request.
func (s *Sandbox) fail(w http.ResponseWriter, r *request, f *fault) bool {
	var answer func()
	switch f.Kind {
	case kindStatus:
		r.entry.Status = f.Status
		drain(r.Request)
		answer = func() { s.send(w, f.answer()) }
	case kindEarly413:
		r.entry.Status = http.StatusRequestEntityTooLarge
		answer = func() { sendEarly413(w) }
	case kindResetBefore:
		answer = func() { reset(w) }
	case kindResetBody:
		_, _ = io.CopyN(io.Discard, r.Body, r.ContentLength/2) // a shorter body is reset, too
		answer = func() { reset(w) }
	case kindHang:
		drain(r.Request) // net/http detects only then that the caller disconnects
		answer = func() {
			s.wait(r.Request, 0, nil)
			reset(w)
		}
	default:
		return false
	}
	if err := s.record(r.entry); err != nil {
		s.send(w, failed(err))
		return true
	}
	answer()
	return true
}

// prepare changes a request that has its effect in spite of the fault.
func (f *fault) prepare(s *Sandbox, r *request) {
	switch f.Kind {
	case kindLate:
		s.delay(r, f)
	case kindWarnings:
		r.call.Warnings = f.warnings()
	}
}

// delay reads a request and lets it arrive later, even if the caller has disconnected.
func (s *Sandbox) delay(r *request, f *fault) {
	body, _ := io.ReadAll(io.LimitReader(r.Body, drainLimit)) // decoding refuses an incomplete body
	r.Request = r.WithContext(context.WithoutCancel(r.Context()))
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.wait(r.Request, time.Duration(f.DelayMS)*time.Millisecond, f.removed)
	r.call.Now = s.o.Now()
	r.entry.At = r.call.Now
}

// sendWithFault sends an answer, changed by f. f may be nil.
func (s *Sandbox) sendWithFault(w http.ResponseWriter, r *http.Request, f *fault, a answer) {
	if f == nil {
		s.send(w, a)
		return
	}
	switch f.Kind {
	case kindResetAfter:
		reset(w)
		return
	case kindSlow:
		s.wait(r, time.Duration(f.DelayMS)*time.Millisecond, f.removed)
	case kindBrokenJSON:
		a.status, a.body = http.StatusOK, a.body[:len(a.body)/2]
	}
	s.send(w, a)
}

// wait waits for d or, if d is 0, until a channel is closed. It returns earlier if the
// caller disconnects or the sandbox closes.
func (s *Sandbox) wait(r *http.Request, d time.Duration, until <-chan struct{}) {
	var over <-chan time.Time
	if d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		over, until = timer.C, nil
	}
	select {
	case <-over:
	case <-until:
	case <-r.Context().Done():
	case <-s.closing:
	}
}

// reset closes the connection so that the caller receives a reset.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // makes net/http close the connection
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// sendEarly413 answers before the body has been read and closes the connection, which the
// kernel then resets because of the unread part.
func sendEarly413(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	body := failed(operations.Failure{Status: http.StatusRequestEntityTooLarge, Message: "ordered fault"}).body
	_, _ = fmt.Fprintf(conn, "HTTP/1.1 413 Request Entity Too Large\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", len(body), body)
	_ = conn.Close()
}

// orders has the orders of tests: faults, a latency and a rate limit.
type orders struct {
	mu      sync.Mutex
	faults  []*fault
	removed chan struct{} // closed when the faults are removed
	lastID  int64
	delay   time.Duration // before each answer

	perSecond float64 // 0: no limit
	allowance float64
	refilled  time.Time
}

func newOrders(latency time.Duration) *orders {
	return &orders{delay: latency, removed: make(chan struct{})}
}

// add adds a fault and returns it with its defaults.
func (o *orders) add(f fault, now time.Time) (fault, error) {
	if err := f.complete(now); err != nil {
		return fault{}, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lastID++
	f.ID, f.removed = o.lastID, o.removed
	o.faults = append(o.faults, &f)
	return f, nil
}

// pick returns the fault that hits a request, or nil: the first one that matches
// and is not spent.
func (o *orders) pick(op, method, requestPath string, now time.Time) *fault {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, f := range o.faults {
		if f.spent(now) || !f.matches(op, method, requestPath) {
			continue
		}
		if f.Seen++; f.Seen <= f.After {
			continue
		}
		f.Made++
		hit := *f
		return &hit
	}
	return nil
}

// list returns all faults, including spent ones, so that a test can see whether its fault
// hit.
func (o *orders) list() []fault {
	o.mu.Lock()
	defer o.mu.Unlock()
	list := make([]fault, len(o.faults))
	for i, f := range o.faults {
		list[i] = *f
	}
	return list
}

func (o *orders) clearFaults() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.faults = nil
	close(o.removed)
	o.removed = make(chan struct{})
}

func (o *orders) setLatency(d time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.delay = d
}

func (o *orders) latency() time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.delay
}

// setLimit sets the number of requests that are allowed per second, which is also the
// burst. 0 removes the limit.
func (o *orders) setLimit(perSecond float64, now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.perSecond, o.allowance, o.refilled = perSecond, max(perSecond, 1), now
}

func (o *orders) limit() float64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.perSecond
}

// allow takes a request from the allowance, which is a token bucket for one second. It
// reports whether the request is allowed.
func (o *orders) allow(now time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.perSecond == 0 {
		return true
	}
	o.allowance = min(o.allowance+now.Sub(o.refilled).Seconds()*o.perSecond, max(o.perSecond, 1))
	o.refilled = now
	if o.allowance < 1 {
		return false
	}
	o.allowance--
	return true
}
