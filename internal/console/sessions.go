package console

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"slices"
	"sync"
	"time"

	"usher/queues/store"
)

// A session ends after sessionIdle without a request, and after sessionLife. Memory keeps at most
// maxSessions; it forgets the least recently used one first.
const (
	sessionIdle = 2 * time.Hour
	sessionLife = 12 * time.Hour
	maxSessions = 1000
)

const (
	// syncEvery is how often a session is compared with the store, which knows whether another
	// process has ended it.
	syncEvery = time.Minute
	// seenEvery is how much older the last request of a session may be in the store than it is.
	seenEvery = 5 * time.Minute
	// storeTime is how long a request waits for the store.
	storeTime = 2 * time.Second
)

// way is the way in which a user logged in.
type way string

const (
	byPassword way = "password"
	byLink     way = "link"
	byProxy    way = "proxy"
)

// session is a login as it is stored.
type session struct {
	User string    `json:"user"`
	Way  way       `json:"way"`
	Made time.Time `json:"made"`
	Seen time.Time `json:"seen"` // the last request
	// Pass is a digest of the user's line in the password file; a new password ends the session.
	Pass string `json:"pass,omitempty"`
}

// Valid reports whether usher can have written the session.
func (s *session) Valid() bool { return s.User != "" && s.Way != "" && !s.Made.IsZero() }

// absence says why a request has no session.
type absence string

const (
	present   absence = ""
	noCookie  absence = "none"
	expired   absence = "expired"
	forgotten absence = "forgotten" // nothing is known of it
	unread    absence = "unread"    // the store does not respond, so the session may well be valid
	barred    absence = "barred"    // its user could not log in like that any more
)

// sessions holds the open sessions by the SHA-256 of their cookie's value, so that neither memory
// nor the store contains a usable cookie. The store has them for the next process and for other
// workers. While it does not respond, those in memory stay valid.
type sessions struct {
	now    func() time.Time
	bucket *store.Bucket // nil: sessions end with the process
	asking chan struct{} // limits concurrent reads of sessions that are not in memory

	mu   sync.Mutex
	open map[string]*openSession
}

type openSession struct {
	session
	revision uint64    // of the store; 0: it is not stored
	synced   time.Time // when it was last compared with the store
	ended    bool      // by a logout that the store may not know
}

// secret returns 256 random bits in URL-safe base64.
func secret() string {
	var b [sha256.Size]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// hashOf returns the SHA-256 of a secret in hex.
func hashOf(secret string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(secret))) }

// csrfOf returns the CSRF token of a session by its cookie's value, which the store does not have.
func csrfOf(token string) string {
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write([]byte("csrf"))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// equalSecrets compares two secrets in constant time.
func equalSecrets(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

func sessionKey(hash string) string { return "sessions." + hash }

// start opens a session and returns its cookie's value. If it cannot be stored now, that is
// tried again with its next requests.
func (s *sessions) start(ctx context.Context, one session) string {
	token := secret()
	hash := hashOf(token)
	one.Made = s.now()
	one.Seen = one.Made
	s.keep(hash, &openSession{session: one})
	s.sync(ctx, hash)
	return token
}

// keep adds a session to memory.
func (s *sessions) keep(hash string, one *openSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	oldest := ""
	for key, other := range s.open {
		if other.expired(s.now()) {
			delete(s.open, key)
		} else if known := s.open[oldest]; known == nil || other.Seen.Before(known.Seen) {
			oldest = key
		}
	}
	if len(s.open) >= maxSessions {
		delete(s.open, oldest)
	}
	s.open[hash] = one
}

// find returns the session of a cookie's value and marks it as used.
func (s *sessions) find(ctx context.Context, token string) (session, absence) {
	if len(token) != base64.RawURLEncoding.EncodedLen(sha256.Size) {
		return session{}, forgotten
	}
	hash, now := hashOf(token), s.now()
	known, due := s.lookUp(hash, now)
	switch {
	case !known:
		if absent := s.load(ctx, hash); absent != present {
			return session{}, absent
		}
	case due:
		s.sync(ctx, hash)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.open[hash]
	switch {
	case one == nil || one.ended:
		return session{}, forgotten
	case one.expired(now):
		return session{}, expired
	}
	one.Seen = now
	return one.session, present
}

// lookUp reports whether a session is in memory, and whether it is to be compared with the store
// now.
func (s *sessions) lookUp(hash string, now time.Time) (known, due bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.open[hash]
	if one == nil {
		return false, false
	}
	if due = now.Sub(one.synced) > syncEvery; due {
		one.synced = now // other requests need not wait
	}
	return true, due
}

// load reads a session into memory from the store.
func (s *sessions) load(ctx context.Context, hash string) absence {
	if s.bucket == nil {
		return forgotten
	}
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	select {
	case s.asking <- struct{}{}:
		defer func() { <-s.asking }()
	case <-ctx.Done():
		return unread
	}
	var stored session
	revision, found, err := s.bucket.Get(ctx, sessionKey(hash), &stored)
	switch {
	case err != nil:
		return unread
	case !found:
		return forgotten
	}
	s.keep(hash, &openSession{session: stored, revision: revision, synced: s.now()})
	return present
}

// sync compares a session in memory with the store: it writes what the store does not know, and
// removes from memory what another process has ended. If the store does not respond, nothing changes.
func (s *sessions) sync(ctx context.Context, hash string) {
	s.mu.Lock()
	one := s.open[hash]
	if one == nil || s.bucket == nil {
		s.mu.Unlock()
		return
	}
	mine, revision, ended := one.session, one.revision, one.ended
	one.synced = s.now()
	s.mu.Unlock()

	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer cancel()
	if ended {
		_ = s.bucket.Delete(ctx, sessionKey(hash)) // if it fails, the next request tries it again
		return
	}
	var stored session
	if revision > 0 {
		now, found, err := s.bucket.Get(ctx, sessionKey(hash), &stored)
		if err != nil {
			return
		}
		if revision = now; !found {
			s.mu.Lock()
			delete(s.open, hash)
			s.mu.Unlock()
			return
		}
		if stored.Seen.After(mine.Seen) {
			mine = stored
		}
	}
	if mine.Seen.Sub(stored.Seen) > seenEvery {
		next, err := s.bucket.CompareAndSet(ctx, sessionKey(hash), &mine, revision)
		if err != nil {
			return // also if another worker has just written it
		}
		revision = next
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	one.revision = revision
	if mine.Seen.After(one.Seen) {
		one.Seen = mine.Seen
	}
}

func (s *session) expired(now time.Time) bool {
	return now.Sub(s.Seen) > sessionIdle || now.Sub(s.Made) > sessionLife
}

// end ends a session everywhere. If the store does not respond, it ends in this process.
func (s *sessions) end(ctx context.Context, token string) error {
	hash := hashOf(token)
	s.mu.Lock()
	if one := s.open[hash]; one != nil {
		one.ended = true
	}
	s.mu.Unlock()
	if s.bucket == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	return s.bucket.Delete(ctx, sessionKey(hash))
}

// maxLinks is the number of unused links that are valid: that of this process, and those that
// earlier ones have printed.
const maxLinks = 10

const linksKey = "links"

// links has the one-time links that nobody has used, the oldest first.
type links struct {
	bucket *store.Bucket // nil: they end with the process

	mu     sync.Mutex
	memory linkHashes
}

// linkHashes are the SHA-256 of the tokens of links.
type linkHashes struct {
	Unused []string `json:"unused"`
}

// Valid reports whether usher can have written the links.
func (l *linkHashes) Valid() bool { return l.Unused != nil }

func (l *links) change(ctx context.Context, alter func(*linkHashes) bool) error {
	if l.bucket == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		alter(&l.memory)
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	return store.Change(ctx, l.bucket, linksKey, func(known *linkHashes, _ bool) bool { return alter(known) })
}

func (l *links) add(ctx context.Context, token string) error {
	return l.change(ctx, func(known *linkHashes) bool {
		known.Unused = append(known.Unused, hashOf(token))
		known.Unused = known.Unused[max(0, len(known.Unused)-maxLinks):]
		return true
	})
}

// use reports whether a link has not been used yet. Now it has.
func (l *links) use(ctx context.Context, token string) (right bool, err error) {
	hash := hashOf(token)
	err = l.change(ctx, func(known *linkHashes) bool {
		right = slices.Contains(known.Unused, hash)
		known.Unused = slices.DeleteFunc(known.Unused, func(other string) bool { return other == hash })
		return right
	})
	return right && err == nil, err
}
