package console

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"sync"
	"time"
)

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
