package store

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// Oversize is a value that NATS does not take because its max_payload was lowered.
type Oversize struct {
	Key   string
	Bytes int64
	Limit int64 // max_payload
	Since time.Time
}

// String says what cannot be written, since when, what follows, and what to do.
func (o Oversize) String() string {
	what := "the value " + o.Key
	switch kind, name, _ := strings.Cut(o.Key, "."); kind {
	case "jobs":
		what = "the record of job " + name
	case "parts":
		what = "the record of part " + name
	}
	return fmt.Sprintf("%s cannot be written since %s: it has %d bytes, and NATS takes messages of %d (max_payload): what waits for it goes on when max_payload is raised again",
		what, o.Since.UTC().Format(time.RFC3339), o.Bytes, o.Limit)
}

// maxOversizes bounds how many values are remembered.
const maxOversizes = 100

// oversizes remembers the values whose last write NATS has not taken because of their size.
type oversizes struct {
	conn *nats.Conn

	mu      sync.Mutex
	byKey   map[string]Oversize
	asked   time.Time // when the connection was last made anew, or the first refusal came
	highest int64     // the highest max_payload of all connections
}

// askEvery is how often the connection is made anew while something is too large, because only a new
// one knows a max_payload that was raised.
const askEvery = 15 * time.Second

// headers is more than the headers of a write have.
const headers = 1 << 10

// note notes the result of a write. A server whose max_payload was lowered closes the connection, and
// the new one has the new limit.
func (s *oversizes) note(key string, size int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		delete(s.byKey, key)
		return
	}
	bytes, limit := int64(size), s.conn.MaxPayload()
	if !errors.Is(err, nats.ErrMaxPayload) && bytes+headers <= limit {
		return
	}
	since := time.Now()
	s.ask(since)
	if before, found := s.byKey[key]; found {
		since = before.Since
	} else if len(s.byKey) >= maxOversizes {
		return
	}
	s.byKey[key] = Oversize{Key: key, Bytes: bytes, Limit: limit, Since: since}
}

// ask makes the connection anew, unless that was done a moment ago. The first refusal does not: a server
// whose max_payload was lowered has closed the connection, so that the present one knows it. It is called
// with mu held.
func (s *oversizes) ask(now time.Time) {
	switch {
	case s.asked.IsZero():
		s.asked = now
	case now.Sub(s.asked) >= askEvery:
		s.asked = now
		go func() { _ = s.conn.ForceReconnect() }() // if it fails, the connection is being made, or closed
	}
}

// notePublish notes the result of a publish. What was always too large is no reason for a new connection,
// because anybody may send that.
func (s *oversizes) notePublish(size int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.highest = max(s.highest, s.conn.MaxPayload())
	if errors.Is(err, nats.ErrMaxPayload) && int64(size) <= s.highest {
		s.ask(time.Now())
	}
}

// Oversizes returns the values that NATS does not take because of their size, oldest first, as far as
// this process has tried to write them.
func (s *Store) Oversizes() []Oversize {
	o := s.oversizes
	o.mu.Lock()
	defer o.mu.Unlock()
	limit := o.conn.MaxPayload()
	maps.DeleteFunc(o.byKey, func(_ string, found Oversize) bool { return found.Bytes+headers <= limit })
	return slices.SortedFunc(maps.Values(o.byKey), func(a, b Oversize) int { return a.Since.Compare(b.Since) })
}
