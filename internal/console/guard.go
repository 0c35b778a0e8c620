package console

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"time"
)

const (
	bodyLimit  = 1 << 20
	answerTime = 30 * time.Second
	csrfHeader = "X-Csrf-Token"
)

// guard stands before a route: nobody passes without a session, with too small
// a role, from another page, or without the session's token where something is
// changed.
func (c *Console) guard(r route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		user, err := c.admit(r, req)
		if err == nil {
			err = r.handle(w, req, user)
		}
		if err != nil {
			c.answerError(w, req, err)
		}
	})
}

func (c *Console) admit(r route, req *http.Request) (User, error) {
	changes := r.method != http.MethodGet
	if changes && c.cross.Check(req) != nil {
		return User{}, refuse(http.StatusForbidden, "this request comes from another page")
	}
	if changes && !isJSON(req) {
		return User{}, refuse(http.StatusUnsupportedMediaType, "send JSON, as application/json")
	}
	if r.role == Anyone {
		return User{}, nil
	}
	user, s, ok := c.who(req)
	switch {
	case !ok:
		return User{}, refuse(http.StatusUnauthorized, "log in first")
	case user.Role < r.role:
		return User{}, refuse(http.StatusForbidden, "this needs the role %s, and %s has %s", r.role, user.Name, user.Role)
	case changes && !same(req.Header.Get(csrfHeader), s.csrf):
		return User{}, refuse(http.StatusForbidden, "the page is out of date: load it again")
	}
	return user, nil
}

func isJSON(req *http.Request) bool {
	kind, _, err := mime.ParseMediaType(req.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

// who is behind a request: the session's user, with the role that the user has
// now. A proxy's user is one only while the proxy says so.
func (c *Console) who(req *http.Request) (User, session, bool) {
	cookie, err := req.Cookie(c.cookieName())
	if err != nil {
		return User{}, session{}, false
	}
	s, found := c.sessions.find(cookie.Value)
	if !found {
		return User{}, session{}, false
	}
	user, ok := User{Name: s.user, Role: Admin}, s.way == byLink
	switch s.way {
	case byPassword:
		var a account
		a, ok, _ = c.Users.lookup(s.user) // unreadable: there are no users
		user.Role, ok = a.role, ok && a.hash != nil
	case byProxy:
		var says User
		says, ok = c.proxied(req)
		user, ok = says, ok && says.Name == s.user
	}
	return user, s, ok
}

// proxied is the user that a trusted proxy names.
func (c *Console) proxied(req *http.Request) (User, bool) {
	if c.Proxy.Header == "" {
		return User{}, false
	}
	name := req.Header.Get(c.Proxy.Header)
	if checkName(name) != nil || len(req.Header.Values(c.Proxy.Header)) != 1 {
		return User{}, false
	}
	from, err := netip.ParseAddr(address(req))
	trusted := false
	for _, prefix := range c.Proxy.From {
		trusted = trusted || err == nil && prefix.Contains(from.Unmap())
	}
	if !trusted {
		return User{}, false
	}
	role := c.Proxy.Role
	if a, known, err := c.Users.lookup(name); err != nil {
		return User{}, false
	} else if known {
		role = a.role
	}
	return User{Name: name, Role: role}, role > Anyone
}

// address is where a request comes from, without its port.
func address(req *http.Request) string {
	host, _, err := net.SplitHostPort(req.RemoteAddr)
	if err != nil {
		return req.RemoteAddr
	}
	return host
}

// answering makes a handler of a function whose result is answered as JSON.
func answering(get func(ctx context.Context, req *http.Request, user User) (any, error)) handler {
	return func(w http.ResponseWriter, req *http.Request, user User) error {
		ctx, cancel := context.WithTimeout(req.Context(), answerTime)
		defer cancel()
		value, err := get(ctx, req, user)
		if err != nil {
			return err
		}
		return answer(w, http.StatusOK, value)
	}
}

func answer(w http.ResponseWriter, status int, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(data) // the caller is gone
	return nil
}

func (c *Console) answerError(w http.ResponseWriter, req *http.Request, err error) {
	if errors.Is(req.Context().Err(), context.Canceled) {
		return // nobody is there any more
	}
	status := statusOf(err)
	if status >= http.StatusInternalServerError {
		c.Logger.Warn("the console could not answer", "method", req.Method, "path", req.URL.Path, "error", err)
	}
	_ = answer(w, status, map[string]string{"error": err.Error()})
}

// body decodes a request's JSON; unknown fields are errors.
func body[T any](req *http.Request) (T, error) {
	var v T
	d := json.NewDecoder(http.MaxBytesReader(nil, req.Body, bodyLimit))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil && !errors.Is(err, io.EOF) {
		return v, refuse(http.StatusBadRequest, "this is not what is asked for: %v", err)
	}
	return v, nil
}
