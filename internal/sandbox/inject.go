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

// fail answers a request that a fault keeps from taking effect, and reports
// whether f is such a fault. The entry in the journal comes before the answer.
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
		_, _ = io.CopyN(io.Discard, r.Body, r.ContentLength/2) // a body that ends sooner is reset as well
		answer = func() { reset(w) }
	case kindHang:
		drain(r.Request) // only then does net/http notice that the caller goes away
		answer = func() {
			s.wait(r.Request, 0)
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

// prepare changes a request that takes effect in spite of the fault.
func (f *fault) prepare(s *Sandbox, r *request) {
	switch f.Kind {
	case kindLate:
		s.delay(r, time.Duration(f.DelayMS)*time.Millisecond)
	case kindWarnings:
		r.call.Warnings = f.warnings()
	}
}

// delay reads a request and lets it arrive later, even if the caller has gone.
func (s *Sandbox) delay(r *request, d time.Duration) {
	body, _ := io.ReadAll(io.LimitReader(r.Body, drainLimit)) // an incomplete body is refused like any other
	r.Request = r.WithContext(context.WithoutCancel(r.Context()))
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.wait(r.Request, d)
	r.call.Now = s.o.Now()
	r.entry.At = r.call.Now
}

// sendThrough sends an answer, or what a fault makes of it.
func (s *Sandbox) sendThrough(w http.ResponseWriter, r *http.Request, f *fault, a answer) {
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
		a = a.inMemory()
		a.status, a.body = http.StatusOK, a.body[:len(a.body)/2]
	}
	s.send(w, a)
}

// wait waits for d, or for ever if d is 0. It ends early when the caller goes
// away or the sandbox closes.
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

// reset closes the connection so that the other end reads a reset.
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

// sendEarly413 answers before the body was read, and closes: the unread part
// makes the kernel reset the connection.
func sendEarly413(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	body := envelope.Failure{Status: http.StatusRequestEntityTooLarge, Message: "ordered fault"}.Body()
	_, _ = fmt.Fprintf(conn, "HTTP/1.1 413 Request Entity Too Large\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", len(body), body)
	_ = conn.Close()
}
