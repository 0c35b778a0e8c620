package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// before makes the faults that keep a request from taking effect, and reports
// whether f was one.
func (s *Sandbox) before(w http.ResponseWriter, r *http.Request, f *fault, e entry) bool {
	switch f.Kind {
	case kindStatus:
		e.Status = f.Status
		drain(r)
		if s.enter(w, e) {
			s.send(w, answer{status: f.Status, body: f.text(), retryAfter: f.RetryAfter})
		}
	case kindEarly413:
		e.Status = http.StatusRequestEntityTooLarge
		if s.enter(w, e) {
			early413(w)
		}
	case kindResetBefore:
		if s.enter(w, e) {
			reset(w)
		}
	case kindResetBody:
		_, _ = io.CopyN(io.Discard, r.Body, r.ContentLength/2) // a body that ends sooner is reset as well
		if s.enter(w, e) {
			reset(w)
		}
	case kindHang:
		drain(r) // only then does net/http notice that the caller goes away
		if s.enter(w, e) {
			s.wait(r, 0)
			reset(w)
		}
	default:
		return false
	}
	return true
}

// late holds a request up on its way, and returns what arrives at last: whether
// the caller still waits makes no difference to it.
func (s *Sandbox) late(r *http.Request, f *fault) *http.Request {
	body, _ := io.ReadAll(io.LimitReader(r.Body, drainLimit)) // what is missing is refused like any other cut body
	r = r.WithContext(context.WithoutCancel(r.Context()))
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.wait(r, time.Duration(f.DelayMS)*time.Millisecond)
	return r
}

// after sends an answer, or what a fault makes of it.
func (s *Sandbox) after(w http.ResponseWriter, r *http.Request, f *fault, a answer) {
	if f == nil {
		s.send(w, a)
		return
	}
	switch f.Kind {
	case kindResetAfter:
		reset(w)
		return
	case kindSlow:
		s.wait(r, time.Duration(f.DelayMS)*time.Millisecond)
	case kindBrokenJSON:
		a = a.whole()
		a.status, a.body = http.StatusOK, a.body[:len(a.body)/2]
	}
	s.send(w, a)
}

// wait waits for d, or without end where d is 0, but no longer than the caller
// and the sandbox are there.
func (s *Sandbox) wait(r *http.Request, d time.Duration) {
	var over <-chan time.Time
	if d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		over = timer.C
	}
	select {
	case <-over:
	case <-r.Context().Done():
	case <-s.closing:
	}
}

// text is the body of a fault of kind status: as ordered, else an envelope that
// fits the status.
func (f *fault) text() []byte {
	var plain string
	switch {
	case len(f.Body) == 0 && f.Status/100 == 2:
		return success(struct{}{}, nil)
	case len(f.Body) == 0 && f.Status == http.StatusBadRequest:
		return failure{status: f.Status, notes: []note{{codeInvalid, "ordered fault"}}}.body()
	case len(f.Body) == 0:
		code := map[int]string{http.StatusUnauthorized: codeNoToken, http.StatusForbidden: codeNoRight}[f.Status]
		return failure{status: f.Status, code: code, message: "ordered fault"}.body()
	case json.Unmarshal(f.Body, &plain) == nil:
		return []byte(plain)
	}
	return f.Body
}

// notes are the warnings of a fault of kind warnings.
func (f *fault) notes() []note {
	var list []note
	if err := json.Unmarshal(f.Body, &list); err != nil || len(list) == 0 {
		return []note{{"W10001", "ordered warning"}}
	}
	return list
}

// reset closes the connection so that the other end reads a reset.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // net/http's way to end a connection that is not to be had
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// early413 answers before the body was read and closes: what is still unread
// makes the kernel reset the connection.
func early413(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	body := failure{status: http.StatusRequestEntityTooLarge, message: "ordered fault"}.body()
	_, _ = fmt.Fprintf(conn, "HTTP/1.1 413 Request Entity Too Large\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", len(body), body)
	_ = conn.Close()
}

// drainLimit is how much of a body that nobody wants is read before the answer,
// so that a caller who is still writing sees it.
const drainLimit = 64 << 20

func drain(r *http.Request) { _, _ = io.CopyN(io.Discard, r.Body, drainLimit) }

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
		s.o.Logger.Debug("the caller went away before its answer", "error", err)
	}
}
