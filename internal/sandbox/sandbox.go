package sandbox

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Options say how the platform behaves. The zero value is a sandbox in memory
// with all defaults.
type Options struct {
	Username   string // default sandbox
	Password   string // default sandbox
	Advertiser string // default SANDBOX1

	Data string // a directory, made if need be, that keeps state and journal; empty: memory only

	LockTTL       time.Duration // default 5 minutes
	TokenTTL      time.Duration // default 1 hour
	ApprovalDelay time.Duration // of PENDING creatives; default 1 second, negative: none
	Latency       time.Duration // before each answer below /v3
	TargetPost    string        // what a second mobileIds upload does: add (default) or replace

	// Members says how sets of digests are held: exact (default), or
	// fingerprint, which keeps only their count, sum and xor, in no memory and
	// at the speed of the parser: for benchmarks. Then repeats count again, and
	// whether somebody is in cannot be told.
	Members string

	Now    func() time.Time // default time.Now
	Logger *slog.Logger     // default: nowhere
}

// Sandbox is the platform. It is an http.Handler.
type Sandbox struct {
	o      Options
	routes *router

	mu      sync.Mutex // guards the world and the journal: what is done and its entry are one step
	world   *world
	journal *journal

	trouble *trouble

	closing chan struct{} // closed by Close: whoever hangs lets go
	once    sync.Once
}

// Open makes a sandbox, with the state that Options.Data holds.
func Open(o Options) (*Sandbox, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Sandbox{o: o, routes: newRouter(routes()), world: newWorld(o), trouble: newTrouble(o), closing: make(chan struct{})}
	journalPath := ""
	if o.Data != "" {
		if err := os.MkdirAll(o.Data, 0o700); err != nil {
			return nil, fmt.Errorf("make sandbox data directory: %w", err)
		}
		if s.world.log, err = openLog(filepath.Join(o.Data, "state.log"), s.world.apply, o.sayReading()); err != nil {
			return nil, err
		}
		journalPath = filepath.Join(o.Data, "journal.jsonl")
	}
	if s.journal, err = openJournal(journalPath); err == nil {
		err = s.world.seed(o.Now())
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// sayReading logs how far the state has been read, where that takes long: tens of
// millions of digests do.
func (o Options) sayReading() func(at, of int64) {
	const every = 2 * time.Second
	said := o.Now()
	return func(at, of int64) {
		if now := o.Now(); now.Sub(said) >= every {
			said = now
			o.Logger.Info("reading the sandbox's state", "percent", 100*at/of, "folder", o.Data)
		}
	}
}

func (o Options) withDefaults() (Options, error) {
	for _, text := range []struct {
		value *string
		or    string
	}{{&o.Username, "sandbox"}, {&o.Password, "sandbox"}, {&o.Advertiser, "SANDBOX1"}, {&o.TargetPost, "add"}, {&o.Members, "exact"}} {
		if *text.value == "" {
			*text.value = text.or
		}
	}
	for _, span := range []struct {
		value *time.Duration
		or    time.Duration
	}{{&o.LockTTL, 5 * time.Minute}, {&o.TokenTTL, time.Hour}, {&o.ApprovalDelay, time.Second}} {
		if *span.value == 0 {
			*span.value = span.or
		}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	switch {
	case o.TargetPost != "add" && o.TargetPost != "replace":
		return o, fmt.Errorf("open sandbox: target-post is %q, want add or replace", o.TargetPost)
	case o.Members != "exact" && o.Members != "fingerprint":
		return o, fmt.Errorf("open sandbox: members is %q, want exact or fingerprint", o.Members)
	case o.LockTTL < 0 || o.TokenTTL < 0 || o.Latency < 0:
		return o, errors.New("open sandbox: lock-ttl, token-ttl and latency must not be negative")
	case codeRule(o.Advertiser) != "":
		return o, fmt.Errorf("open sandbox: advertiser %q %s", o.Advertiser, codeRule(o.Advertiser))
	}
	return o, nil
}

// ServeHTTP answers a request.
func (s *Sandbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case isControl(r.URL.Path):
		s.control(w, r)
	case isPage(r):
		s.page(w, r)
	default:
		s.serve(w, r)
	}
}

// Close makes the state durable and lets go of requests that hang. Requests
// that come later are answered 503.
func (s *Sandbox) Close() error {
	s.once.Do(func() { close(s.closing) })
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	if s.world.log != nil {
		err = s.world.log.close()
	}
	if s.journal != nil {
		err = errors.Join(err, s.journal.close())
	}
	return err
}

func (s *Sandbox) closed() bool {
	select {
	case <-s.closing:
		return true
	default:
		return false
	}
}
