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

// linkUser is who came by the one-time link.
const linkUser = "local"

// oneTime is the link that lets one browser in, once.
type oneTime struct {
	mu    sync.Mutex
	token string
}

// makeLink makes the next link. What follows the # is never sent to a server:
// it is in no log, and in no Referer.
func (c *Console) makeLink() {
	c.link.mu.Lock()
	c.link.token = secret()
	path := "/#/login/" + c.link.token
	c.link.mu.Unlock()
	if c.LinkMade != nil {
		c.LinkMade(path)
	}
}

// sessionState is what the page knows of who looks at it.
type sessionState struct {
	User string   `json:"user,omitempty"`
	Role string   `json:"role,omitempty"`
	CSRF string   `json:"csrf,omitempty"`
	Ways []string `json:"ways"` // password, link, proxy
}

func (c *Console) ways() []string {
	ways := []string{}
	if c.Users != nil {
		ways = append(ways, string(byPassword))
	}
	if c.Link {
		ways = append(ways, string(byLink))
	}
	if c.Proxy.Header != "" {
		ways = append(ways, string(byProxy))
	}
	return ways
}

func (c *Console) session(_ context.Context, req *http.Request, _ User) (any, error) {
	state := sessionState{Ways: c.ways()}
	if user, s, ok := c.who(req); ok {
		state.User, state.Role, state.CSRF = user.Name, user.Role.String(), s.csrf
	}
	return state, nil
}

// loginPassword takes a name and a password.
func (c *Console) loginPassword(w http.ResponseWriter, req *http.Request, _ User) error {
	in, err := body[struct{ User, Password string }](req)
	if err != nil {
		return err
	}
	if wait := c.throttle.wait(in.User, address(req)); wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
		return refuse(http.StatusTooManyRequests, "too many failed logins: wait %s", wait.Round(time.Second))
	}
	select {
	case c.hashing <- struct{}{}:
		defer func() { <-c.hashing }()
	case <-req.Context().Done():
		return req.Context().Err()
	}
	right, err := c.Users.right(in.User, in.Password)
	if err != nil {
		return err
	}
	if !right {
		c.throttle.fail(in.User, address(req))
		c.Logger.Warn("a login to the console failed", "from", address(req))
		return refuse(http.StatusUnauthorized, "name or password is wrong")
	}
	c.throttle.succeed(in.User)
	return c.begin(w, in.User, byPassword)
}

// loginLink takes the one-time link's token.
func (c *Console) loginLink(w http.ResponseWriter, req *http.Request, _ User) error {
	in, err := body[struct{ Token string }](req)
	if err != nil {
		return err
	}
	c.link.mu.Lock()
	right := c.Link && c.link.token != "" && same(in.Token, c.link.token)
	if right {
		c.link.token = ""
	}
	c.link.mu.Unlock()
	if !right {
		return refuse(http.StatusUnauthorized, "this link was used already, or is of an earlier start: take the newest that usher printed")
	}
	c.makeLink()
	return c.begin(w, linkUser, byLink)
}

// loginProxy takes the word of a trusted proxy.
func (c *Console) loginProxy(w http.ResponseWriter, req *http.Request, _ User) error {
	user, ok := c.proxied(req)
	if !ok {
		return refuse(http.StatusUnauthorized, "the proxy in front of the console names no user whom it knows")
	}
	return c.begin(w, user.Name, byProxy)
}

func (c *Console) begin(w http.ResponseWriter, user string, by way) error {
	c.setCookie(w, c.sessions.begin(user, by), int(sessionLife.Seconds()))
	c.Logger.Info("somebody logged in to the console", "user", user, "by", by)
	return answer(w, http.StatusOK, struct{}{})
}

func (c *Console) logout(w http.ResponseWriter, req *http.Request, _ User) error {
	if cookie, err := req.Cookie(c.cookieName()); err == nil {
		c.sessions.end(cookie.Value)
	}
	c.setCookie(w, "", -1)
	return answer(w, http.StatusOK, struct{}{})
}

func (c *Console) cookieName() string {
	name := "usher-" + url.QueryEscape(c.Port)
	if c.TLS {
		return "__Host-" + name
	}
	return name
}

func (c *Console) setCookie(w http.ResponseWriter, value string, age int) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure where there is TLS; without, only loopback or a proxy's word lets it be
		Name: c.cookieName(), Value: value, Path: "/", MaxAge: age,
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: c.TLS,
	})
}
