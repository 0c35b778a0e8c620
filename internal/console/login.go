package console

import (
	"context"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// linkUser is the name of users who logged in by the one-time link.
const linkUser = "local"

// makeLink creates the next link. The token follows a #, so that browsers do not send it to
// a server, where it could appear in a log or a Referer.
func (c *Console) makeLink() {
	ctx, cancel := context.WithTimeout(context.Background(), storeTime)
	defer cancel()
	token := secret()
	if err := c.links.add(ctx, token); err != nil {
		c.options.Logger.Warn("the console's link could not be stored, so that it does not work", "error", err)
	}
	if c.options.LinkMade != nil {
		c.options.LinkMade("/#/login/" + token)
	}
}

// sessionState describes the session to the page.
type sessionState struct {
	User string   `json:"user,omitempty"`
	Role string   `json:"role,omitempty"`
	CSRF string   `json:"csrf,omitempty"`
	Ways []string `json:"ways"` // password, link, proxy
	// Absent says why the cookie of the request has no session; "": it has one, or there is no cookie.
	Absent absence `json:"absent,omitempty"`
}

func (c *Console) ways() []string {
	ways := []string{}
	if c.options.Users != nil {
		ways = append(ways, string(byPassword))
	}
	if c.options.Link {
		ways = append(ways, string(byLink))
	}
	if c.options.Proxy.Header != "" {
		ways = append(ways, string(byProxy))
	}
	return ways
}

func (c *Console) session(_ context.Context, req *http.Request, _ User) (any, error) {
	return c.sessionOf(req), nil
}

func (c *Console) sessionOf(req *http.Request) sessionState {
	state := sessionState{Ways: c.ways()}
	user, csrf, absent := c.authenticate(req)
	switch absent {
	case present:
		state.User, state.Role, state.CSRF = user.Name, user.Role.String(), csrf
	case noCookie:
	default:
		state.Absent = absent
	}
	return state
}

// loginPassword logs in by name and password.
func (c *Console) loginPassword(w http.ResponseWriter, req *http.Request, _ User) error {
	in, err := body[struct{ User, Password string }](req)
	if err != nil {
		return err
	}
	if checkName(in.User) != nil {
		in.User = " " // no user has this name; it is short, because the throttle stores it
	}
	if wait := c.throttle.reserve(in.User, address(req)); wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
		return refuse(http.StatusTooManyRequests, "too many failed logins: try again in %s", time.Duration(math.Ceil(wait.Seconds()))*time.Second)
	}
	select {
	case c.hashing <- struct{}{}:
		defer func() { <-c.hashing }()
	case <-req.Context().Done():
		return req.Context().Err()
	}
	right, err := c.options.Users.verify(in.User, in.Password)
	if err != nil {
		return err
	}
	if !right {
		c.options.Logger.Warn("console login failed", "from", address(req))
		return refuse(http.StatusUnauthorized, "wrong name or password")
	}
	c.throttle.succeed(in.User, address(req))
	a, _, _ := c.options.Users.lookup(in.User) // if it cannot be read now, nobody is logged in
	return c.startSession(w, req, session{User: in.User, Way: byPassword, Pass: a.digest()})
}

// loginLink logs in by the token of the one-time link.
func (c *Console) loginLink(w http.ResponseWriter, req *http.Request, _ User) error {
	in, err := body[struct{ Token string }](req)
	if err != nil {
		return err
	}
	right := false
	if c.options.Link && in.Token != "" {
		if right, err = c.links.use(req.Context(), in.Token); err != nil {
			return refuse(http.StatusServiceUnavailable, "the link cannot be checked: %v", err)
		}
	}
	if !right {
		return refuse(http.StatusUnauthorized, "this link has been used: open the newest link that usher printed")
	}
	c.makeLink()
	return c.startSession(w, req, session{User: linkUser, Way: byLink})
}

// loginProxy logs in the user named by a trusted proxy.
func (c *Console) loginProxy(w http.ResponseWriter, req *http.Request, _ User) error {
	user, ok := c.proxied(req)
	if !ok {
		return refuse(http.StatusUnauthorized, "the proxy in front of the console does not name a known user")
	}
	return c.startSession(w, req, session{User: user.Name, Way: byProxy})
}

func (c *Console) startSession(w http.ResponseWriter, req *http.Request, s session) error {
	c.setCookie(w, c.sessions.start(req.Context(), s), int(sessionLife.Seconds()))
	c.options.Logger.Info("console login", "user", s.User, "by", s.Way)
	return writeJSON(w, http.StatusOK, struct{}{})
}

func (c *Console) logout(w http.ResponseWriter, req *http.Request, _ User) error {
	c.setCookie(w, "", -1)
	if cookie, err := req.Cookie(c.cookieName()); err == nil {
		if err := c.sessions.end(req.Context(), cookie.Value); err != nil {
			return refuse(http.StatusServiceUnavailable, "you are logged out here, but other workers may not know it until the session is too old: %v", err)
		}
	}
	return writeJSON(w, http.StatusOK, struct{}{})
}

func (c *Console) cookieName() string {
	name := "usher-" + url.QueryEscape(c.options.Port)
	if c.options.TLS {
		return "__Host-" + name
	}
	return name
}

func (c *Console) setCookie(w http.ResponseWriter, value string, age int) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure with TLS; without TLS, logins are possible only from loopback or through a proxy
		Name: c.cookieName(), Value: value, Path: "/", MaxAge: age,
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: c.options.TLS,
	})
}
