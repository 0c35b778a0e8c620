package sandbox

import (
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"sync"

	"usher/internal/rtb"
	"usher/internal/sandbox/operations"
)

// request is a request with the operation of its path and method, and its entry in the
// journal.
type request struct {
	*http.Request
	match
	call  *operations.Call
	entry entry
}

// serveOperation answers a request of the platform's interface.
func (s *Sandbox) serveOperation(w http.ResponseWriter, httpRequest *http.Request) {
	if s.closed() {
		s.send(w, failed(operations.Failure{Status: http.StatusServiceUnavailable, Message: "the sandbox is closing"}))
		return
	}
	r := s.newRequest(httpRequest)
	f := s.orders.pick(r.entry.Op, r.Method, r.URL.Path, r.call.Now)
	if f != nil {
		r.entry.Fault = f.Kind
		if s.fail(w, r, f) {
			return
		}
		f.prepare(s, r)
	}
	if latency := s.orders.latency(); latency > 0 {
		s.wait(r.Request, latency, nil)
	}
	a := s.do(r)
	drain(r.Request)
	s.sendWithFault(w, r.Request, f, a)
}

func (s *Sandbox) newRequest(httpRequest *http.Request) *request {
	r := &request{Request: httpRequest, match: s.router.find(httpRequest.Method, httpRequest.URL.EscapedPath())}
	r.call = &operations.Call{Now: s.o.Now(), Writes: r.Method != http.MethodGet, Private: isPrivate(httpRequest)}
	r.entry = entry{At: r.call.Now, Method: r.Method, Path: maskHex(r.URL.Path)}
	if r.route != nil {
		r.entry.Op, r.entry.Path = r.route.Operation.Name, pathWithoutDigests(r.route.Operation, r.values)
	}
	return r
}

// do runs the operation and appends its entry to the journal. No other operation runs in
// between.
func (s *Sandbox) do(r *request) answer {
	in, err := s.accept(r)
	if r.call.IDs != nil {
		r.entry.Upload = &r.call.IDs.Fingerprint
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var out any
	if err == nil {
		out, err = r.route.Run(s.state, r.call, in)
	}
	var a answer
	if err != nil {
		a = failed(err)
		r.entry.Code = s.errorCode(r.entry.Op, err)
	} else {
		a = succeeded(out, r.call.Warnings)
		r.entry.Warnings = len(r.call.Warnings)
	}
	r.entry.User, r.entry.Advertiser, r.entry.Status = r.call.User, r.call.Advertiser, a.status
	if err := s.record(r.entry); err != nil {
		return failed(err)
	}
	return a
}

// accept checks the path, the rate limit and the login, and returns the operation's In.
func (s *Sandbox) accept(r *request) (any, error) {
	switch {
	case r.route == nil && len(r.allowed) > 0:
		return nil, operations.Failure{
			Status: http.StatusMethodNotAllowed, Message: "this path does not allow the method " + r.Method, Allow: r.allowed,
		}
	case r.route == nil:
		return nil, operations.Failure{Status: http.StatusNotFound, Message: "this path is unknown"}
	case !s.orders.allow(r.call.Now):
		return nil, operations.Failure{Status: http.StatusTooManyRequests, Message: "too many requests", RetryAfter: 1}
	}
	if !r.route.Operation.Open {
		if err := s.authenticate(r); err != nil {
			return nil, err
		}
	}
	in, err := s.decode(r)
	if pull, ok := in.(rtb.CreativePull); ok && err == nil {
		r.call.Creative, err = fetchCreative(r.Context(), pull.URL)
	}
	return in, err
}

func (s *Sandbox) authenticate(r *request) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.Authenticate(r.call, r.Header.Get("Authorization"))
}

// record appends an entry to the journal.
func (s *Sandbox) record(e entry) error {
	err := s.journal.append(e)
	if err != nil {
		s.o.Logger.Error("the journal cannot be written", "error", err)
	}
	return err
}

// isPrivate reports whether nobody on the network can read the connection.
func isPrivate(r *http.Request) bool {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	return r.TLS != nil || err == nil && at.Addr().Unmap().IsLoopback()
}

// pathWithoutDigests returns the path of a request, in which the placeholder of a user's
// digest is not replaced.
func pathWithoutDigests(op rtb.Operation, values map[string]string) string {
	path := op.Path
	for _, field := range op.Fields {
		if field.Where == rtb.InPath && !field.Digest {
			path = strings.Replace(path, "{"+field.Name+"}", values[field.Name], 1)
		}
	}
	return strings.TrimSuffix(path, "/") // of an optional segment that is missing
}

// longHex matches text that may be a digest.
var longHex = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[0-9A-Fa-f]{32,}`) })

// maskHex masks text that may be a digest in an unknown path.
func maskHex(path string) string { return longHex().ReplaceAllString(path, "…") }
