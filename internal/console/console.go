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

	"github.com/klauspost/compress/gzhttp"
	"golang.org/x/time/rate"

	"usher"
	"usher/internal/rules/backtest"
	"usher/queues/decisions"
	"usher/queues/letters"
)

// Options are the settings of a Console. Sources provide its data and actions. At least one
// of Users, Proxy and Link must be set, otherwise nobody can log in.
type Options struct {
	Sources

	Users *Users // password file; nil: none
	Proxy Proxy  // zero: none
	// Link enables login by a one-time link, with the role admin. LinkMade is called
	// with the path of each link: with the first one by New, with the next one whenever
	// a link was used.
	Link     bool
	LinkMade func(path string)

	Hosts []string // allowed host names, in addition to localhost and IP addresses
	TLS   bool     // the console is served over TLS, so its cookies are Secure
	Port  string   // part of the cookie's name, for two consoles on one machine

	Logger *slog.Logger
	Now    func() time.Time // default time.Now
}

// Proxy is a server in front of the console that authenticates users.
type Proxy struct {
	Header string         // header with the user name, such as X-Forwarded-User; empty: no proxy
	From   []netip.Prefix // the proxy's addresses; the header is ignored in requests from others
	Role   Role           // of users who are not in the password file; Anyone: they are refused
}

// Console is the web console: an http.Handler for the page, its API and the stream of
// live updates.
type Console struct {
	options   Options
	routes    []route
	sessions  *sessions
	throttle  *throttle
	hashing   chan struct{} // limits concurrent bcrypt calls, so that logins cannot use up the CPU
	links     *links
	live      *hub
	watcher   *watcher
	monitor   *monitor
	causes    *cache[[]usher.LetterGroup] // groups of all dead letters
	runs      *cache[ruleRuns]
	blind     *cache[[]usher.Blindness]
	activity  *cache[decisions.Activity] // of rules in the last weekDays
	saved     *cache[map[string]*backtest.Saving]
	feeds     *cache[[]feedState]
	audiences *cache[[]audienceRow]
	searches  *searches
	asked     chan struct{} // capacity 1; full if a page has needed the names of segments
	counting  chan struct{} // capacity 1; full while an overlap is counted
	board     *board
	codes     *cache[[]string] // of campaigns
	changes   *cache[changes]
	held      *cache[heldBy]
	roster    *roster
	spends    *cache[map[string]Spend]
	replays   *replayRunner
	cross     *http.CrossOriginProtection
	mux       *http.ServeMux
}

// New returns a console. Its live updates need Run.
func New(o Options) *Console {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	c := &Console{
		options:  o,
		sessions: &sessions{now: o.Now, bucket: o.Logins, asking: make(chan struct{}, 8), open: map[string]*openSession{}},
		links:    &links{bucket: o.Logins},
		throttle: newThrottle(o.Now),
		hashing:  make(chan struct{}, 2),
		live:     newHub(o.Now),
		cross:    http.NewCrossOriginProtection(),
		mux:      http.NewServeMux(),
	}
	c.monitor = newMonitor(o.Services, func() time.Time { return c.watcher.readAt() }, o.Now)
	c.roster = newRoster(o.Presence, o.Now, o.Logger)
	c.watcher = newWatcher(o.Sources, c.changed, o.Now, o.Logger)
	c.causes = newCache(func(ctx context.Context) ([]usher.LetterGroup, error) {
		return c.options.Letters.Groups(ctx, letters.Filter{})
	})
	c.runs = newCache(c.loadRuns)
	c.blind = newCache(func(ctx context.Context) ([]usher.Blindness, error) { return c.options.Runs.Blindness(ctx) })
	c.activity = newCache(func(ctx context.Context) (decisions.Activity, error) {
		return c.options.Runs.Activity(ctx, c.options.Now().AddDate(0, 0, -weekDays))
	})
	c.saved = newCache(c.loadSaved)
	c.saved.age = statusAge
	c.feeds = newCache(c.loadFeeds)
	c.searches = newSearches(c)
	c.audiences, c.asked, c.counting = newCache(c.loadAudiences), make(chan struct{}, 1), make(chan struct{}, 1)
	c.codes = newCache(func(ctx context.Context) ([]string, error) { return c.options.Campaigns.List(ctx) })
	c.changes, c.held = newCache(c.loadChanges), newCache(c.loadHeld)
	c.spends = newCache(func(ctx context.Context) (map[string]Spend, error) { return c.options.Campaigns.Spends(ctx) })
	c.spends.age = statusAge
	c.board = &board{
		campaigns: func() Campaigns { return c.options.Campaigns }, now: o.Now, known: map[string]statuses{},
		pace: func() rate.Limit { return rate.Limit(c.options.Platform().Limit / statusShare) }, notify: func() { c.live.notify(topicCampaigns) },
	}
	c.replays = &replayRunner{
		letters: o.Letters, edits: o.Edits, now: o.Now, replays: map[string]*replay{},
		notify: func() { c.live.notify(topicReplays); c.lettersChanged() },
	}
	c.routes = routes(c)
	for _, r := range c.routes {
		handler := c.guard(r)
		if r.path != "/api/live" { // a stream of events must not wait in a buffer
			handler = gzhttp.GzipHandler(handler)
		}
		c.mux.Handle(r.method+" "+r.path, handler)
	}
	c.serveFiles()
	if o.Link {
		c.makeLink()
	}
	return c
}

// Run watches for changes and announces them until ctx ends. It returns when all replays
// have ended, too.
func (c *Console) Run(ctx context.Context) {
	var running sync.WaitGroup
	running.Go(func() { c.replays.run(ctx) })
	running.Go(func() { c.monitor.run(ctx) })
	running.Go(func() { c.roster.run(ctx) })
	running.Go(func() { c.board.run(ctx) })
	running.Go(func() { c.searches.run(ctx) })
	if c.options.Names != nil {
		running.Go(func() { c.listSegments(ctx) })
	}
	c.watcher.run(ctx)
	c.live.close()
	running.Wait()
}

// changed announces a changed topic to the pages.
func (c *Console) changed(topic string) {
	switch topic {
	case topicLetters:
		c.causes.invalidate()
	case topicJobs:
		c.feeds.invalidate()
		c.audiences.invalidate()
		c.live.notify(topicAudiences)
	case topicAudit:
		c.changes.invalidate()
		c.activity.invalidate()
		c.saved.invalidate()
		c.live.notify(topicCampaigns)
	case topicRules:
		c.runs.invalidate()
		c.held.invalidate()
	}
	c.live.notify(topic)
}

// ServeHTTP serves the page and its API.
func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.setSecurityHeaders(w.Header())
	if !c.allowsHost(r.Host) {
		http.Error(w, fmt.Sprintf("The host name %q is not allowed: add it to console.hosts.", r.Host), http.StatusMisdirectedRequest)
		return
	}
	c.mux.ServeHTTP(w, r)
}

// policy restricts the page to resources of this server.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func (c *Console) setSecurityHeaders(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	if c.options.TLS {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
}

// allowsHost reports whether host is an allowed name or an IP address. Other names are
// refused because of DNS rebinding: another site's page could resolve its own name to this
// address.
func (c *Console) allowsHost(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	return name == "localhost" || slices.ContainsFunc(c.options.Hosts, func(known string) bool { return strings.EqualFold(known, name) })
}

// Refusal is an error whose text is sent to the client.
type Refusal struct {
	Status  int // of HTTP
	Message string
}

func (r *Refusal) Error() string { return r.Message }

func refuse(status int, format string, args ...any) error {
	return &Refusal{Status: status, Message: fmt.Sprintf(format, args...)}
}

// statusOf returns the HTTP status for an error.
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
