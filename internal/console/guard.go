package console

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"os"
	"time"

	"usher/internal/readable"
)

const (
	maxBody    = 1 << 20
	answerTime = 30 * time.Second
	csrfHeader = "X-Csrf-Token"
)

// guard wraps a route. It refuses requests without a session, or with a role below the
// route's. Requests that change something also need the page's origin and the session's
// CSRF token.
func (c *Console) guard(r route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		user, err := c.admit(r, req)
		if err == nil && r.method != http.MethodGet {
			err = readBody(w, req)
		}
		if err == nil {
			err = c.serve(r, w, req, user)
		}
		if err != nil {
			c.writeError(w, req, err)
		}
	})
}

// serve calls the handler of a route. If a service that the route reads from is lost, or is
// lost meanwhile, it returns at once what is wrong.
func (c *Console) serve(r route, w http.ResponseWriter, req *http.Request, user User) error {
	if r.needs == 0 {
		return r.handle(w, req, user)
	}
	ctx, stop := c.monitor.whileUp(req.Context(), r.needs)
	defer stop()
	err := r.handle(w, req.WithContext(ctx), user)
	var lost *Refusal
	if err != nil && errors.As(context.Cause(ctx), &lost) {
		return lost
	}
	return err
}

// admit checks a request before its body is read, and returns its user.
func (c *Console) admit(r route, req *http.Request) (User, error) {
	changes := r.method != http.MethodGet
	if changes && c.cross.Check(req) != nil {
		return User{}, refuse(http.StatusForbidden, "cross-origin request refused")
	}
	if changes && !isJSON(req) {
		return User{}, refuse(http.StatusUnsupportedMediaType, "the body must be application/json")
	}
	if r.role == Anyone {
		return User{}, nil
	}
	user, csrf, absent := c.authenticate(req)
	switch {
	case absent == unread:
		return User{}, refuse(http.StatusServiceUnavailable, "usher cannot check your session, because NATS does not respond")
	case absent != present:
		return User{}, refuse(http.StatusUnauthorized, "log in first")
	case user.Role < r.role:
		return User{}, refuse(http.StatusForbidden, "this action needs the role %s; %s has the role %s", r.role, user.Name, user.Role)
	case changes && !equalSecrets(req.Header.Get(csrfHeader), csrf):
		return User{}, refuse(http.StatusForbidden, "the page is out of date: reload it")
	}
	return user, nil
}

func isJSON(req *http.Request) bool {
	kind, _, err := mime.ParseMediaType(req.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

// authenticate returns the user of a request's session, with the user's current role, and the
// session's CSRF token. A session that began through a proxy is valid only for requests in which
// the proxy names the same user.
func (c *Console) authenticate(req *http.Request) (user User, csrf string, absent absence) {
	cookie, err := req.Cookie(c.cookieName())
	if err != nil {
		return User{}, "", noCookie
	}
	s, absent := c.sessions.find(req.Context(), cookie.Value)
	if absent != present {
		return User{}, "", absent
	}
	user, ok := User{Name: s.User, Role: Admin}, s.Way == byLink && c.options.Link
	switch s.Way {
	case byPassword:
		var a account
		a, ok, _ = c.options.Users.lookup(s.User) // an unreadable file has no users
		user.Role, ok = a.role, ok && a.hash != nil && a.digest() == s.Pass
	case byProxy:
		user, ok = c.proxied(req)
		ok = ok && user.Name == s.User
	}
	if !ok {
		return User{}, "", barred
	}
	return user, csrfOf(cookie.Value), present
}

// proxied returns the user named by a trusted proxy.
func (c *Console) proxied(req *http.Request) (User, bool) {
	if c.options.Proxy.Header == "" {
		return User{}, false
	}
	name := req.Header.Get(c.options.Proxy.Header)
	if checkName(name) != nil || len(req.Header.Values(c.options.Proxy.Header)) != 1 {
		return User{}, false
	}
	from, err := netip.ParseAddr(address(req))
	trusted := false
	for _, prefix := range c.options.Proxy.From {
		trusted = trusted || err == nil && prefix.Contains(from.Unmap())
	}
	if !trusted {
		return User{}, false
	}
	role := c.options.Proxy.Role
	if a, known, err := c.options.Users.lookup(name); err != nil {
		return User{}, false
	} else if known {
		role = a.role
	}
	return User{Name: name, Role: role}, role > Anyone
}

// address returns the client's address without the port.
func address(req *http.Request) string {
	host, _, err := net.SplitHostPort(req.RemoteAddr)
	if err != nil {
		return req.RemoteAddr
	}
	return host
}

// jsonHandler returns a handler that responds with the result of get as JSON.
func jsonHandler(get func(ctx context.Context, req *http.Request, user User) (any, error)) handler {
	return func(w http.ResponseWriter, req *http.Request, user User) error {
		ctx, cancel := context.WithTimeout(req.Context(), answerTime)
		defer cancel()
		value, err := get(ctx, req, user)
		if err != nil {
			return err
		}
		return writeJSON(w, http.StatusOK, value)
	}
}

func writeJSON(w http.ResponseWriter, status int, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(readable.UnbidiShown(data)) // an error means that the client is gone
	return nil
}

func (c *Console) writeError(w http.ResponseWriter, req *http.Request, err error) {
	status := statusOf(err)
	// After a canceled context the client is most likely gone, so the error is not logged.
	// The response is still written, because without a status it would be a success.
	if status >= http.StatusInternalServerError && !errors.Is(req.Context().Err(), context.Canceled) {
		c.options.Logger.Warn("console request failed", "method", req.Method, "path", req.URL.Path, "error", err)
	}
	_ = writeJSON(w, status, map[string]string{"error": err.Error()})
}

// readBody reads a request's body to its end, at most 1 MiB, so that a request whose body
// stalls or is cut off has no effect.
func readBody(w http.ResponseWriter, req *http.Request) error {
	data, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return refuse(http.StatusRequestEntityTooLarge, "the request body has more than %d bytes", large.Limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return refuse(http.StatusRequestTimeout, "the request body did not arrive in time")
	case err != nil:
		return refuse(http.StatusBadRequest, "the request body ended early, after %d bytes", len(data))
	}
	req.Body = io.NopCloser(bytes.NewReader(data))
	return nil
}

// body decodes a request's JSON body. Unknown fields are errors, and an empty body is the
// zero value.
func body[T any](req *http.Request) (T, error) {
	var v T
	d := json.NewDecoder(req.Body)
	d.DisallowUnknownFields()
	switch err := d.Decode(&v); {
	case errors.Is(err, io.EOF):
		return v, nil
	case err != nil:
		return v, refuse(http.StatusBadRequest, "invalid request body: %v", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return v, refuse(http.StatusBadRequest, "invalid request body: more than one JSON value")
	}
	return v, nil
}
