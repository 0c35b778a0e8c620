package sandbox

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"usher/internal/sandbox/operations"
	"usher/internal/sandbox/store"
)

// Sandbox is an http.Handler that behaves like the platform.
type Sandbox struct {
	o       Options
	router  router
	journal *journal
	orders  *orders

	mu    sync.Mutex // guards state and store; held during an operation and its entry in the journal
	state *operations.State
	store *store.Store

	closing chan struct{} // closed by Close, which ends requests that hang
	once    sync.Once
}

// Open returns a sandbox with the state in Options.Data, or with the initial state if that
// directory has none. The caller must close it.
func Open(o Options) (*Sandbox, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Sandbox{o: o, router: newRouter(operations.Routes()), journal: &journal{}, orders: newOrders(o.Latency), closing: make(chan struct{})}
	s.store = store.New(o.fingerprintsOnly(), o.Logger)
	s.state = operations.New(o.config(), s.store)
	if o.Data != "" {
		err = s.openData()
	}
	if err == nil {
		err = s.state.Seed(o.Now())
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// openData opens the state and the journal in Options.Data.
func (s *Sandbox) openData() error {
	if err := os.MkdirAll(s.o.Data, 0o700); err != nil {
		return fmt.Errorf("make sandbox data directory: %w", err)
	}
	if err := s.store.Open(filepath.Join(s.o.Data, "state.log"), s.o.logProgress()); err != nil {
		return err
	}
	return s.journal.open(filepath.Join(s.o.Data, "journal.jsonl"))
}

// logProgress returns a function that logs the progress of reading the state, at most every
// 2 seconds. Tens of millions of digests take long to read.
func (o Options) logProgress() func(read, size int64) {
	const every = 2 * time.Second
	logged := o.Now()
	return func(read, size int64) {
		if now := o.Now(); now.Sub(logged) >= every {
			logged = now
			o.Logger.Info("reading the sandbox's state", "percent", 100*read/size, "folder", o.Data)
		}
	}
}

// ServeHTTP answers a request.
func (s *Sandbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case isControl(r.URL.Path):
		s.serveControl(w, r)
	case isPage(r):
		s.servePage(w, r)
	default:
		s.serveOperation(w, r)
	}
}

// Close writes the state to disk and ends requests that hang. Later requests are answered
// with 503.
func (s *Sandbox) Close() error {
	s.once.Do(func() { close(s.closing) })
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(s.store.Close(), s.journal.close())
}

func (s *Sandbox) closed() bool {
	select {
	case <-s.closing:
		return true
	default:
		return false
	}
}
