package console

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"usher"
	"usher/internal/readable"
	"usher/queues/store"
)

// Bounds of the checks of services.
const (
	checkEvery = time.Second
	checkTime  = time.Second // after which a service without a response is asked once more, and then lost
)

// Services checks what this process depends on. Each check ends with its context.
type Services interface {
	// NATS returns nil if NATS responds to reads, otherwise what is wrong.
	NATS(ctx context.Context) error
	// Writes returns nil if NATS takes writes, otherwise what is wrong.
	Writes() error
	// Redis returns nil if Redis responds and takes writes, otherwise what is wrong.
	Redis(ctx context.Context) error
	// Platform returns nil if the platform responds, otherwise what is wrong.
	Platform(ctx context.Context) error
	// Workers returns how many workers there were when NATS last took a heartbeat of this one, and
	// how long ago the one that was silent for longest had sent one.
	Workers() (n int, oldest time.Duration)
}

// need is a set of services that a route cannot do without.
type need uint8

const (
	needsNATS need = 1 << iota
	needsPlatform
)

// health is the state of the services, as the pages show it.
type health struct {
	At       time.Time `json:"at"`
	Figures  time.Time `json:"figures"` // when the jobs were last read; zero: never
	Services []service `json:"services"`
	Workers  int       `json:"workers"`
	Oldest   float64   `json:"oldest"` // seconds since the worker that was silent for longest sent a heartbeat
}

// service is the state of one service.
type service struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	// The other fields are set while it is lost.
	Since time.Time `json:"since,omitzero"`
	Loss  string    `json:"says,omitempty"`
	Error string    `json:"why,omitempty"`
	Hint  string    `json:"hint,omitempty"`

	bit   need
	doubt time.Time // since when it is OK although it has not responded in time; zero: it has
}

// loss is what is said of a service that is lost, and what to do.
type loss struct{ says, hint string }

var losses = map[string]loss{
	"NATS":        {"NATS does not respond", "Jobs, pauses and resumes wait, and none is lost. Check that the NATS servers are up, have a quorum, and have room on their disks; usher doctor says what is wrong."},
	"NATS login":  {"NATS refuses usher's login", "Jobs, pauses and resumes wait, and none is lost. Check user and password in nats.url, or in the file of USHER_NATS_URL_FILE, which is read again; usher doctor tests them."},
	"NATS writes": {"NATS takes no writes", "What is shown is current. Until NATS takes writes, jobs, pauses and resumes wait, and none is lost. Check the disks of the NATS servers: a full one is the usual cause; usher doctor says more."},
	"Redis":       {"Redis does not respond", "Pauses and resumes wait for their locks. Uploads continue at each worker's share of the rate. Check the Redis server, or its Sentinels."},
	"Redis login": {"Redis refuses usher's login", "Pauses and resumes wait for their locks. Uploads continue at each worker's share of the rate. Check user and password in redis.url, which must be those of the user worker of Redis; usher doctor tests them."},
	"Platform":    {"The platform cannot be used", "Jobs wait, and continue when it works again. Check its status page, and the network between it and the workers."},
	"login":       {"The platform refuses usher's login", "Jobs wait, pauses too, and continue when a login works. Check platform.username and platform.password; usher doctor tests them."},
}

func lossOf(service string, err error) loss {
	switch {
	case service == "Platform" && errors.Is(err, usher.ErrUnauthorized):
		service = "login"
	case service == "NATS" && errors.Is(err, store.ErrLogin):
		service = "NATS login"
	case service == "Redis" && errors.Is(err, usher.ErrRedisLogin):
		service = "Redis login"
	}
	return losses[service]
}

// Hint says what follows from the loss of a service, and what to do.
func Hint(service string, err error) string { return lossOf(service, err).hint }

// figuresLate is the age of figures that were not read again in time, with a second for the check.
const figuresLate = refreshIdle + refreshTime + checkTime

// monitor checks the services once a second while the console runs.
type monitor struct {
	services Services
	figures  func() time.Time // when the jobs were last read; zero: never
	now      func() time.Time
	outages  outages

	mu      sync.Mutex
	state   health
	changed chan struct{} // closed and replaced after each check
}

func newMonitor(s Services, figures, now func() time.Time) *monitor {
	return &monitor{services: s, figures: figures, now: now, changed: make(chan struct{}), state: health{Services: []service{
		{Name: "NATS", OK: true, bit: needsNATS}, {Name: "NATS writes", OK: true}, {Name: "Redis", OK: true}, {Name: "Platform", OK: true, bit: needsPlatform},
	}}}
}

// run checks the services until ctx ends.
func (m *monitor) run(ctx context.Context) {
	for ctx.Err() == nil {
		if doubtful := m.check(ctx); !doubtful {
			_ = usher.Sleep(ctx, checkEvery)
		}
	}
}

// check checks all services at the same time. It reports whether one of them is in doubt.
func (m *monitor) check(ctx context.Context) (doubtful bool) {
	try, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	var errs [4]error
	var late [4]bool
	var checks sync.WaitGroup
	for i, ask := range map[int]func(context.Context) error{0: m.services.NATS, 2: m.services.Redis, 3: m.services.Platform} {
		checks.Go(func() {
			errs[i] = ask(try)
			late[i] = try.Err() != nil
		})
	}
	checks.Wait()
	now := m.now().UTC()
	if errs[0] == nil {
		errs[1] = m.services.Writes()
	}
	// A server without a quorum may still say that it is there.
	if errs[1] != nil && now.Sub(m.figures()) > figuresLate {
		errs[0], errs[1] = fmt.Errorf("%w, and the jobs cannot be read: NATS has lost its quorum, or its disks are full", errs[1]), nil
	}
	if ctx.Err() != nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	services := make([]service, len(errs)) // pages may still read the old ones
	for i, err := range errs {
		services[i] = m.state.Services[i].after(err, late[i], now)
		doubtful = doubtful || !services[i].doubt.IsZero()
	}
	if !services[0].OK { // nothing is known of writes
		services[1] = service{Name: services[1].Name, Error: "not known while NATS does not respond"}
	}
	m.outages.observe(m.state.Services, services, now)
	workers, oldest := m.services.Workers()
	m.state.Workers, m.state.Oldest = workers, oldest.Seconds()
	m.state.At, m.state.Services = now, services
	close(m.changed)
	m.changed = make(chan struct{})
	return doubtful
}

// after returns the state of a service after a check. On a busy machine, a service that works may respond late:
// it is lost only if it is late twice in a row.
func (s service) after(err error, late bool, now time.Time) service {
	if err == nil {
		return service{Name: s.Name, OK: true, bit: s.bit}
	}
	if late && s.OK && s.doubt.IsZero() {
		s.doubt = now
		return s
	}
	loss := lossOf(s.Name, err)
	if s.Loss != loss.says {
		s.Since = now
		if !s.doubt.IsZero() {
			s.Since = s.doubt
		}
	}
	s.OK, s.Loss, s.Error, s.Hint, s.doubt = false, loss.says, err.Error(), loss.hint, time.Time{}
	return s
}

// get returns the state, and a channel that is closed after the next check.
func (m *monitor) get() (health, <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state, m.changed
}

// lost returns a *Refusal if one of the needed services is lost.
func (h *health) lost(needed need) error {
	for _, s := range h.Services {
		if s.bit&needed != 0 && !s.OK {
			return refuse(http.StatusServiceUnavailable, "%s since %s (%s). %s", s.Loss, s.Since.Format("15:04:05 MST"), s.Error, s.Hint)
		}
	}
	return nil
}

// whileUp returns a context that ends when one of the needed services is lost, with a
// *Refusal as its cause. The caller must call stop.
func (m *monitor) whileUp(ctx context.Context, needed need) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			state, changed := m.get()
			if err := state.lost(needed); err != nil {
				cancel(err)
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-changed:
			}
		}
	}()
	return ctx, func() {
		cancel(nil)
		<-done
	}
}

// health returns the state of the services.
func (c *Console) health(context.Context, *http.Request, User) (any, error) {
	state, _ := c.monitor.get()
	state.Figures = c.watcher.readAt()
	return state, nil
}

// healthEvent returns the state of the services as a server-sent event, and a channel that is
// closed after the next check.
func (c *Console) healthEvent() (event string, checked <-chan struct{}) {
	state, checked := c.monitor.get()
	state.Figures = c.watcher.readAt()
	data, err := json.Marshal(state)
	if err != nil {
		data = []byte("{}") // cannot happen: the state has only texts, numbers and valid times
	}
	data = readable.UnbidiShown(data)
	return fmt.Sprintf("event: health\ndata: %s\n\n", data), checked
}
