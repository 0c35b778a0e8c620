package console

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"sync"
	"time"
)

// How long a session lasts, unused and at all, and how many there may be: a
// further one ends the one that was unused longest.
const (
	sessionIdle  = 2 * time.Hour
	sessionLife  = 12 * time.Hour
	sessionsMost = 1000
)

// way is how somebody logged in.
type way string

const (
	byPassword way = "password"
	byLink     way = "link"
	byProxy    way = "proxy"
)

// session is one login. It lives in memory: a restart ends it.
type session struct {
	user string
	way  way
	csrf string // what state-changing requests must carry in X-CSRF-Token

	made, seen time.Time
}

// sessions are those there are, by the SHA-256 of their cookie's value, so that
// a dump of memory holds nothing to log in with.
type sessions struct {
	now func() time.Time

	mu   sync.Mutex
	open map[[sha256.Size]byte]*session
}

// secret is 256 random bits, in the alphabet of URLs.
func secret() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // it never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// begin opens a session and returns its cookie's value.
func (s *sessions) begin(user string, by way) string {
	token, now := secret(), s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	var unused [sha256.Size]byte
	for key, one := range s.open {
		if s.over(one, now) {
			delete(s.open, key)
		} else if oldest := s.open[unused]; oldest == nil || one.seen.Before(oldest.seen) {
			unused = key
		}
	}
	if len(s.open) >= sessionsMost {
		delete(s.open, unused)
	}
	s.open[sha256.Sum256([]byte(token))] = &session{user: user, way: by, csrf: secret(), made: now, seen: now}
	return token
}

// find is the session of a cookie's value, and notes that it is used.
func (s *sessions) find(token string) (session, bool) {
	key, now := sha256.Sum256([]byte(token)), s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.open[key]
	if one == nil {
		return session{}, false
	}
	if s.over(one, now) {
		delete(s.open, key)
		return session{}, false
	}
	one.seen = now
	return *one, true
}

func (s *sessions) over(one *session, now time.Time) bool {
	return now.Sub(one.seen) > sessionIdle || now.Sub(one.made) > sessionLife
}

func (s *sessions) end(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, sha256.Sum256([]byte(token)))
}

// same compares two secrets in constant time.
func same(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}
