package console

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"usher"
)

// Options of a Console. What it shows and does comes through Sources; how
// people get in through Users, Proxy and Link, at least one of them.
type Options struct {
	Sources

	Users *Users // password file; nil: none
	Proxy Proxy  // zero: none
	// Link lets in whoever has the one-time link, as admin; LinkMade is told of
	// each: the first at New, a further one whenever one was used.
	Link     bool
	LinkMade func(path string)

	Hosts []string // names that the console may be called by, beside localhost and addresses
	TLS   bool     // it is served over TLS, so that cookies are Secure
	Port  string   // tells the cookies of two consoles on one machine apart

	Logger *slog.Logger
	Now    func() time.Time // default time.Now
}

// Proxy is a server in front of the console that has checked who somebody is.
type Proxy struct {
	Header string         // names the user, as X-Forwarded-User; empty: no proxy
	From   []netip.Prefix // the proxy's own addresses; of others the header is not believed
	Role   Role           // of users who are not in the password file; Anyone: they are refused
}

// Console is the web console: a page, its API, its live changes.
type Console struct {
	Options
	routes    []route
	sessions  *sessions
	throttle  *throttle
	hashing   chan struct{} // slots for bcrypt, so that logins cannot take the machine
	link      oneTime
	live      *hub
	watcher   *watcher
	causes    *cache[[]usher.LetterGroup] // of all dead letters
	runs      *cache[[]usher.Evaluation]  // the newest
	replaying *replaying
	cross     *http.CrossOriginProtection
	mux       *http.ServeMux
}

// New returns a console. It works once Run does.
func New(o Options) *Console {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	c := &Console{
		Options:  o,
		sessions: &sessions{now: o.Now, open: map[[32]byte]*session{}},
		throttle: &throttle{now: o.Now, failed: map[string]tries{}},
		hashing:  make(chan struct{}, 2),
		live:     newHub(),
		cross:    http.NewCrossOriginProtection(),
		mux:      http.NewServeMux(),
	}
	c.watcher = newWatcher(o.Sources, c.changed, o.Now)
	c.causes = newCache(func(ctx context.Context) ([]usher.LetterGroup, error) { return c.Letters.Groups(ctx, LetterFilter{}) })
	c.runs = newCache(func(ctx context.Context) ([]usher.Evaluation, error) { return c.Rules.Evaluations(ctx, runsMost) })
	c.replaying = &replaying{
		letters: o.Letters, now: o.Now, all: map[string]*oneReplay{},
		tell: func() { c.live.tell(topicReplays); c.lettersChanged() },
	}
	c.routes = routes(c)
	for _, r := range c.routes {
		c.mux.Handle(r.method+" "+r.path, c.guard(r))
	}
	c.mux.Handle("GET /", c.static())
	if o.Link {
		c.makeLink()
	}
	return c
}

// Run follows what happens, for those who watch, until ctx ends.
func (c *Console) Run(ctx context.Context) {
	var replaying sync.WaitGroup
	replaying.Go(func() { c.replaying.run(ctx) })
	c.watcher.run(ctx, c.Logger)
	c.live.close()
	replaying.Wait()
}

// changed hears of every change.
func (c *Console) changed(topic string) {
	switch topic {
	case topicLetters:
		c.causes.change()
	case topicRules:
		c.runs.change()
	}
	c.live.tell(topic)
}

// ServeHTTP answers the page and its API.
func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.secure(w.Header())
	if !c.knowsHost(r.Host) {
		http.Error(w, fmt.Sprintf("The console is not known as %q: add that name to console.hosts.", r.Host), http.StatusMisdirectedRequest)
		return
	}
	c.mux.ServeHTTP(w, r)
}

// policy lets the page load what is served here, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func (c *Console) secure(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	if c.TLS {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
}

// knowsHost refuses names that are not ours: a stranger's page whose name
// resolves to this address (DNS rebinding) has one. An address is no name.
func (c *Console) knowsHost(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	return name == "localhost" || slices.ContainsFunc(c.Hosts, func(known string) bool { return strings.EqualFold(known, name) })
}

// Refusal is an error whose words are for who asked.
type Refusal struct {
	Status int
	Says   string
}

func (r *Refusal) Error() string { return r.Says }

func refuse(status int, format string, args ...any) error {
	return &Refusal{Status: status, Says: fmt.Sprintf(format, args...)}
}

// statusOf is the HTTP status of an error.
func statusOf(err error) int {
	var r *Refusal
	switch {
	case errors.As(err, &r):
		return r.Status
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusGatewayTimeout
	}
	return http.StatusBadGateway
}
