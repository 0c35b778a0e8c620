package sandbox

import (
	"errors"
	"io"
	"net/http"
	"net/netip"
	"regexp"
	"strings"

	"usher/internal/rtb"
)

// answer is what goes back.
type answer struct {
	status     int
	body       []byte
	stream     func(io.Writer) error // writes the body, where it is too large to be held
	retryAfter int                   // seconds; 0: none
	allow      []string              // of a 405
}

// serve answers a request of the platform's own interface.
func (s *Sandbox) serve(w http.ResponseWriter, r *http.Request) {
	if s.closed() {
		s.send(w, failed(failure{status: http.StatusServiceUnavailable, message: "the sandbox is closing"}))
		return
	}
	now := s.o.Now()
	found, values, allowed := s.routes.find(r.Method, r.URL.EscapedPath())
	e := entry{At: now, Method: r.Method, Path: unnamed(r.URL.Path)}
	if found != nil {
		e.Op, e.Path = found.op.Name, named(found.op, values)
	}
	f := s.trouble.pick(e.Op, r.Method, r.URL.Path, now)
	if f != nil {
		e.Fault = f.Kind
		if s.before(w, r, f, e) {
			return
		}
		if f.Kind == kindLate {
			r = s.late(r, f)
			now = s.o.Now()
			e.At = now
		}
	}
	if latency := s.trouble.currentLatency(); latency > 0 {
		s.wait(r, latency)
	}
	c := &call{now: now, writes: r.Method != http.MethodGet, private: isPrivate(r), printOnly: s.o.printOnly()}
	if f != nil && f.Kind == kindWarnings {
		c.warnings = f.notes()
	}
	a := s.do(r, found, values, allowed, c, &e)
	drain(r)
	s.after(w, r, f, a)
}

// do does what is asked and enters it in the journal, as one step.
func (s *Sandbox) do(r *http.Request, found *route, values map[string]string, allowed []string, c *call, e *entry) answer {
	in, err := s.understand(r, found, values, allowed, c, e)
	if c.upload != nil {
		shown := c.upload.print.shown()
		e.Upload = &shown
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var out any
	if err == nil {
		out, err = found.run(s.world, c, in)
	}
	a := failed(err)
	if err == nil {
		a = succeeded(out, c.warnings)
		e.Warnings = len(c.warnings)
	}
	s.note(e, c, a.status, err)
	if err := s.journal.append(*e); err != nil {
		s.o.Logger.Error("the journal cannot be written", "error", err)
		return failed(err)
	}
	return a
}

// understand checks everything about a request that needs no state but the
// login, and decodes it.
func (s *Sandbox) understand(r *http.Request, found *route, values map[string]string, allowed []string, c *call, e *entry) (any, error) {
	switch {
	case found == nil && len(allowed) > 0:
		return nil, failure{status: http.StatusMethodNotAllowed, message: "this path does not take " + r.Method, allow: strings.Join(allowed, ", ")}
	case found == nil:
		return nil, failure{status: http.StatusNotFound, message: "this path is unknown"}
	case !s.trouble.allow(c.now):
		return nil, failure{status: http.StatusTooManyRequests, message: "too many requests", retryAfter: 1}
	}
	if !found.op.Open {
		if err := s.authenticate(c, r.Header.Get("Authorization")); err != nil {
			return nil, err
		}
	}
	in, err := decodeInput(r, found.op, values, c, e)
	if pull, ok := in.(rtb.CreativePull); ok && err == nil {
		c.file, err = fetchAsset(r.Context(), pull.URL)
	}
	return in, err
}

// isPrivate reports whether nobody between the caller and us can read along.
func isPrivate(r *http.Request) bool {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	return r.TLS != nil || err == nil && at.Addr().Unmap().IsLoopback()
}

func (s *Sandbox) authenticate(c *call, header string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.world.authenticate(c, header)
}

// note completes an entry.
func (s *Sandbox) note(e *entry, c *call, status int, err error) {
	e.User, e.Advertiser, e.Status = c.user, c.advertiser, status
	var f failure
	switch {
	case errors.As(err, &f):
		e.Code = f.firstCode()
	case err != nil:
		s.o.Logger.Error("the sandbox could not do what it was asked", "op", e.Op, "error", err)
		e.Code = failure{status: status}.firstCode()
	}
}

// enter writes an entry of a request that a fault hits; where that fails it
// answers so.
func (s *Sandbox) enter(w http.ResponseWriter, e entry) bool {
	s.mu.Lock()
	err := s.journal.append(e)
	s.mu.Unlock()
	if err != nil {
		s.o.Logger.Error("the journal cannot be written", "error", err)
		s.send(w, failed(err))
	}
	return err == nil
}

// failed is the answer to an error: a failure as it says, anything else 500.
func failed(err error) answer {
	var f failure
	if !errors.As(err, &f) {
		f = failure{status: http.StatusInternalServerError, message: "the sandbox could not write its state"}
	}
	a := answer{status: f.status, body: f.body(), retryAfter: f.retryAfter}
	if f.allow != "" {
		a.allow = []string{f.allow}
	}
	return a
}

// named is the path of a request without a user's digest.
func named(op rtb.Operation, values map[string]string) string {
	path := op.Path
	for _, field := range op.Fields {
		if field.Where == rtb.InPath && !field.Digest {
			path = strings.Replace(path, "{"+field.Name+"}", values[field.Name], 1)
		}
	}
	return strings.TrimSuffix(path, "/") // an optional segment that was left out
}

// longHex may be a digest, wherever it stands.
var longHex = regexp.MustCompile(`[0-9A-Fa-f]{32,}`)

// unnamed is an unknown path without what may be a digest.
func unnamed(path string) string { return longHex.ReplaceAllString(path, "…") }
