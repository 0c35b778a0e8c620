package console

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/internal/console"
	"usher/internal/feeds"
	"usher/internal/fleet"
	"usher/internal/ledger"
	"usher/internal/platform"
	"usher/internal/readable"
	"usher/internal/rules/files"
	"usher/queues"
	"usher/queues/decisions"
	"usher/queues/presence"
	"usher/queues/status"
)

// Parts are the running parts that the console shows and acts on.
type Parts struct {
	Queue     *queues.Queue
	Decisions *decisions.Store
	Fleet     *fleet.Fleet
	Platform  *platform.Platform
	Rules     *files.Files
	Ledger    *ledger.Store
	Feeds     *feeds.States
	Registry  *prometheus.Registry
}

// Server serves the console's address: the console itself if somebody can log in, /healthz
// (the process is alive), /readyz (NATS, Redis and the platform respond) and /metrics.
type Server struct {
	URL, Link string
	server    *http.Server
	serving   sync.WaitGroup
	console   *console.Console // nil: nobody can log in
}

// Open starts to serve the console's address. If link is set, a link that works once lets
// its holder in, as in usher dev. Otherwise people log in as a configured user, or through
// a proxy.
func Open(ctx context.Context, c config.Config, p Parts, logger *slog.Logger, link bool) (*Server, error) {
	address := c.String("console.listen")
	if address == "" {
		return &Server{}, nil
	}
	certificates, err := connect.Certificate(c, "console")
	if err != nil {
		return nil, err
	}
	options, err := consoleOptions(c, link)
	if err != nil {
		return nil, err
	}
	if options != nil && certificates == nil {
		if err := connect.CheckPlain(c, "console", "people would log in"); err != nil {
			return nil, err
		}
	}
	listener, err := connect.Listen(ctx, address, "the console (console.listen)")
	if err != nil {
		return nil, err
	}
	s := &Server{URL: "http://" + listener.Addr().String()}
	if options != nil {
		_, options.Port, _ = net.SplitHostPort(listener.Addr().String()) // the address of a listener is valid
	}
	if certificates != nil {
		s.URL, listener = "https://"+listener.Addr().String(), tls.NewListener(listener, certificates)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) { serveReady(w, r, p) })
	mux.Handle("GET /metrics", serveMetrics(p.Registry, logger))
	mux.Handle("/", s.consoleHandler(options, certificates != nil, c, p, logger))
	s.server = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}
	s.serving.Go(func() { _ = s.server.Serve(listener) }) // returns after Close, see Stop
	return s, nil
}

// consoleHandler returns the console. If nobody can log in, it returns a page that says how
// to add users.
func (s *Server) consoleHandler(options *console.Options, secure bool, c config.Config, p Parts, logger *slog.Logger) http.Handler {
	if options == nil {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "The console has no users yet: set console.users (or console.proxy_header) and start usher again.\nSee 'usher console passwd --help'.", http.StatusNotFound)
		})
	}
	options.TLS, options.Logger, options.Hosts = secure, logger, c.Strings("console.hosts")
	options.Sources, options.Now = consoleSources(c, p), p.Queue.Now // records have NATS's time
	options.LinkMade = func(path string) {
		if s.Link == "" {
			s.Link = s.URL + path
			return
		}
		logger.Info("the console's link was used; the next one lets in another browser", "link", s.URL+path)
	}
	s.console = console.New(*options)
	return s.console
}

// consoleOptions returns who may log in and how, or nil if nobody can.
func consoleOptions(c config.Config, link bool) (*console.Options, error) {
	o := &console.Options{Link: link}
	if path := c.String("console.users"); path != "" {
		users, err := console.OpenUsers(path)
		if err != nil {
			return nil, fmt.Errorf("read console.users: %w", err)
		}
		o.Users = users
	}
	if header := c.String("console.proxy_header"); header != "" {
		proxy, err := proxyOptions(c, header)
		if err != nil {
			return nil, err
		}
		o.Proxy = proxy
	}
	if !link && o.Users == nil && o.Proxy.Header == "" {
		return nil, nil // nobody can log in
	}
	return o, nil
}

// proxyOptions returns the networks from which the proxy's header is trusted, and the role
// of its users.
func proxyOptions(c config.Config, header string) (console.Proxy, error) {
	proxy := console.Proxy{Header: header}
	for _, network := range c.Strings("console.proxies") {
		prefix, err := netip.ParsePrefix(network)
		if err != nil {
			return proxy, fmt.Errorf("read console.proxies: %w", err)
		}
		proxy.From = append(proxy.From, prefix)
	}
	if len(proxy.From) == 0 {
		return proxy, errors.New("read console.proxy_header: console.proxies is empty, so the header would never be trusted: set console.proxies to the proxy's network")
	}
	if role := c.String("console.proxy_role"); role != "none" {
		var err error
		if proxy.Role, err = console.ParseRole(role); err != nil {
			return proxy, fmt.Errorf("read console.proxy_role: %w", err)
		}
	}
	return proxy, nil
}

// serveReady responds with whether a job could run now. NATS and Redis are ready if they
// accept writes.
func serveReady(w http.ResponseWriter, r *http.Request, p Parts) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	services := services{p}
	var nats, redis, platform error
	var change *status.OpenChange
	var rooms []queues.Room
	var lost []presence.Lost
	var changeErr, roomErr, lostErr error
	var checking sync.WaitGroup // at the same time, so that none uses up the time of another
	checking.Go(func() { nats = cmp.Or(services.NATS(ctx), services.Writes()) })
	checking.Go(func() { redis = services.Redis(ctx) })
	checking.Go(func() { platform = services.Platform(ctx) })
	checking.Go(func() { change, changeErr = p.Queue.Status().OldestChange(ctx) })
	checking.Go(func() { rooms, roomErr = p.Queue.Room(ctx) })
	checking.Go(func() { _, lost, lostErr = p.Queue.Presence().Gone(ctx) })
	checking.Wait()
	var checks struct {
		NATS     string `json:"nats"`
		Redis    string `json:"redis"`
		Platform string `json:"platform"`
		// Whatever these say, this worker must not be taken out of service.
		Pauses  string `json:"pauses"`
		Streams string `json:"streams"`
		Sources string `json:"sources"` // of this worker's jobs
		Workers string `json:"workers"`
		Clock   string `json:"clock"`
	}
	checks.NATS, checks.Redis, checks.Platform, checks.Clock = "ok", "ok", "ok", "ok"
	checks.Pauses, checks.Streams, checks.Workers = unlessUnknown(changeErr), unlessUnknown(roomErr), unlessUnknown(lostErr)
	checks.Sources = slowText(p.Queue.SlowSources())
	if len(lost) > 0 {
		checks.Workers = lostWorkersText(lost)
	}
	if now := p.Queue.Now(); change != nil && change.Late(now) {
		checks.Pauses = fmt.Sprintf("%s since %s (%s), by job %s: %s", change.Says(), change.Since.UTC().Format("15:04:05 MST"), readable.Duration(now.Sub(change.Since)), change.Record.ID, change.Why()) + ". " + status.ChangeHint
	}
	status := http.StatusOK
	fail := func(what *string, service string, err error, since time.Time) {
		if err != nil {
			*what, status = lossText(service, err, since, p.Queue.Now()), http.StatusServiceUnavailable
		}
	}
	down, _ := p.Platform.Breaker.Outage()
	fail(&checks.NATS, "NATS", nats, p.Queue.Now().Add(-p.Queue.Presence().SinceWrite()))
	fail(&checks.Redis, "Redis", redis, p.Queue.Now().Add(-p.Fleet.LostFor()))
	fail(&checks.Platform, "Platform", platform, *cmp.Or(down, &time.Time{}))
	if failing := p.Platform.Failing(); platform == nil && len(failing) > 0 {
		checks.Platform = failingText(failing)
	}
	if texts := append(fullTexts(rooms), p.Queue.Oversized()...); len(texts) > 0 {
		checks.Streams = strings.Join(texts, "; ")
	}
	if ahead := p.Queue.ClockAhead(); ahead != 0 {
		checks.Clock = fmt.Sprintf("this machine's clock is %s ahead of NATS's: synchronize the clocks by NTP", ahead.Round(100*time.Millisecond))
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(readable.Escaped(w)).Encode(checks) //nolint:errchkjson // fails only if the caller has disconnected
}

// unlessUnknown returns "ok", or that what could not be read is not known.
func unlessUnknown(err error) string {
	if err != nil {
		return "not known: " + err.Error()
	}
	return "ok"
}

// slowText names the jobs whose sources deliver too slowly.
func slowText(slow []presence.SlowJob) string {
	if len(slow) == 0 {
		return "ok"
	}
	texts := make([]string, len(slow))
	for i := range slow {
		texts[i] = fmt.Sprintf("job %s since %s: %s", slow[i].Job, slow[i].Since.UTC().Format(time.RFC3339), slow[i].String())
	}
	return strings.Join(texts, "; ") + ". " + presence.SlowHint
}

// lostWorkersText names the workers that are lost, and says what to do.
func lostWorkersText(lost []presence.Lost) string {
	texts := make([]string, len(lost))
	for i := range lost {
		texts[i] = lost[i].String() + ". " + lost[i].Delays()
	}
	return strings.Join(texts, " ") + " " + presence.LostHint
}

// lossText says why a service is lost, since when, what follows, and what to do. A zero since is not
// known.
func lossText(service string, err error, since, now time.Time) string {
	text := err.Error()
	if !since.IsZero() {
		text += fmt.Sprintf(", since %s (%s)", since.UTC().Format("15:04:05 MST"), readable.Duration(now.Sub(since)))
	}
	return text + ". " + console.Hint(service, err)
}

// fullTexts names the streams that are full, or nearly.
func fullTexts(rooms []queues.Room) (texts []string) {
	for _, r := range rooms {
		if r.IsNearlyFull() {
			texts = append(texts, r.String()+". "+queues.RoomHint)
		}
	}
	return texts
}

// failingText names the operations of the platform that fail. Others work, so the status stays 200.
func failingText(failing []platform.Failing) string {
	texts := make([]string, len(failing))
	for i, f := range failing {
		shown := presence.Failing(f)
		texts[i] = shown.String() + ". " + shown.Delays()
	}
	return strings.Join(texts, " ") + " " + presence.FailingHint
}

// Run keeps the console's pages up to date until ctx ends.
func (s *Server) Run(ctx context.Context) {
	if s.console != nil {
		s.console.Run(ctx)
	}
}

// Stop closes the listener and all connections, and waits until the server has ended.
func (s *Server) Stop() {
	if s.server != nil {
		_ = s.server.Close()
	}
	s.serving.Wait()
}

// serveMetrics serves /metrics. If a metric cannot be read, the others are still served.
func serveMetrics(registry *prometheus.Registry, logger *slog.Logger) http.Handler {
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{
		Registry: registry, ErrorHandling: promhttp.ContinueOnError,
		ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn), MaxRequestsInFlight: 4,
	})
}
