package console

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
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
	return c.sessionOf(req), nil
}

func (c *Console) sessionOf(req *http.Request) sessionState {
	state := sessionState{Ways: c.ways()}
	if user, s, ok := c.authenticate(req); ok {
		state.User, state.Role, state.CSRF = user.Name, user.Role.String(), s.csrf
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

// A session ends after sessionIdle without a request, and after sessionLife. If there are
// maxSessions sessions, a new session ends the least recently used one.
const (
	sessionIdle = 2 * time.Hour
	sessionLife = 12 * time.Hour
	maxSessions = 1000
)

// way is the way in which a user logged in.
type way string

const (
	byPassword way = "password"
	byLink     way = "link"
	byProxy    way = "proxy"
)

// session is a login. Sessions are kept in memory, so a restart ends them.
type session struct {
	user string
	way  way
	csrf string // the header X-CSRF-Token of requests that change something

	made, seen time.Time
}

// sessions holds the open sessions by the SHA-256 of their cookie's value, so that a memory
// dump contains no usable cookie.
type sessions struct {
	now func() time.Time

	mu   sync.Mutex
	open map[[sha256.Size]byte]*session
}

// secret returns 256 random bits in URL-safe base64.
func secret() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// start opens a session and returns its cookie's value.
func (s *sessions) start(user string, by way) string {
	token, now := secret(), s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	var unused [sha256.Size]byte
	for key, one := range s.open {
		if s.expired(one, now) {
			delete(s.open, key)
		} else if oldest := s.open[unused]; oldest == nil || one.seen.Before(oldest.seen) {
			unused = key
		}
	}
	if len(s.open) >= maxSessions {
		delete(s.open, unused)
	}
	s.open[sha256.Sum256([]byte(token))] = &session{user: user, way: by, csrf: secret(), made: now, seen: now}
	return token
}

// find returns the session of a cookie's value and marks it as used.
func (s *sessions) find(token string) (session, bool) {
	key, now := sha256.Sum256([]byte(token)), s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.open[key]
	if one == nil {
		return session{}, false
	}
	if s.expired(one, now) {
		delete(s.open, key)
		return session{}, false
	}
	one.seen = now
	return *one, true
}

func (s *sessions) expired(one *session, now time.Time) bool {
	return now.Sub(one.seen) > sessionIdle || now.Sub(one.made) > sessionLife
}

func (s *sessions) end(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, sha256.Sum256([]byte(token)))
}

// equalSecrets compares two secrets in constant time.
func equalSecrets(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}
