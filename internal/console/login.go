package console

import (
	"context"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"
)

// linkUser is the name of users who logged in by the one-time link.
const linkUser = "local"

// oneTime is the link that logs in one browser, once.
type oneTime struct {
	mu    sync.Mutex
	token string
}

// makeLink creates the next link. The token follows a #, so that browsers do not send it to
// a server, where it could appear in a log or a Referer.
func (c *Console) makeLink() {
	c.link.mu.Lock()
	c.link.token = secret()
	path := "/#/login/" + c.link.token
	c.link.mu.Unlock()
	if c.options.LinkMade != nil {
		c.options.LinkMade(path)
	}
}

// sessionState describes the session to the page.
type sessionState struct {
	User string   `json:"user,omitempty"`
	Role string   `json:"role,omitempty"`
	CSRF string   `json:"csrf,omitempty"`
	Ways []string `json:"ways"` // password, link, proxy
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
	state := sessionState{Ways: c.ways()}
	if user, s, ok := c.authenticate(req); ok {
		state.User, state.Role, state.CSRF = user.Name, user.Role.String(), s.csrf
	}
	return state, nil
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
	return c.startSession(w, in.User, byPassword)
}

// loginLink logs in by the token of the one-time link.
func (c *Console) loginLink(w http.ResponseWriter, req *http.Request, _ User) error {
	in, err := body[struct{ Token string }](req)
	if err != nil {
		return err
	}
	c.link.mu.Lock()
	right := c.options.Link && c.link.token != "" && equalSecrets(in.Token, c.link.token)
	if right {
		c.link.token = ""
	}
	c.link.mu.Unlock()
	if !right {
		return refuse(http.StatusUnauthorized, "this link has been used, or usher has been restarted: open the newest link that usher printed")
	}
	c.makeLink()
	return c.startSession(w, linkUser, byLink)
}

// loginProxy logs in the user named by a trusted proxy.
func (c *Console) loginProxy(w http.ResponseWriter, req *http.Request, _ User) error {
	user, ok := c.proxied(req)
	if !ok {
		return refuse(http.StatusUnauthorized, "the proxy in front of the console does not name a known user")
	}
	return c.startSession(w, user.Name, byProxy)
}

func (c *Console) startSession(w http.ResponseWriter, user string, by way) error {
	c.setCookie(w, c.sessions.start(user, by), int(sessionLife.Seconds()))
	c.options.Logger.Info("console login", "user", user, "by", by)
	return writeJSON(w, http.StatusOK, struct{}{})
}

func (c *Console) logout(w http.ResponseWriter, req *http.Request, _ User) error {
	if cookie, err := req.Cookie(c.cookieName()); err == nil {
		c.sessions.end(cookie.Value)
	}
	c.setCookie(w, "", -1)
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
