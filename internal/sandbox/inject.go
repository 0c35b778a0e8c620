package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"usher/internal/sandbox/envelope"
)

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
		a = a.inMemory()
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
	body := envelope.Failure{Status: http.StatusRequestEntityTooLarge, Message: "ordered fault"}.Body()
	_, _ = fmt.Fprintf(conn, "HTTP/1.1 413 Request Entity Too Large\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", len(body), body)
	_ = conn.Close()
}
