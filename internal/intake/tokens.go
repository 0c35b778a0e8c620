package intake

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"usher"
)

const (
	tokensLimit = 1 << 20     // of the token file
	readEvery   = time.Second // how often requests read it again
	secretStart = "usher_"    // so that scanners for leaked secrets find tokens
)

// Grant is what the owner of a token may do. Empty lists mean all.
type Grant struct {
	Name        string
	Kinds       []usher.Kind
	Advertisers []string
	All         bool // it may read and cancel the jobs of others, too, of its kinds and advertisers
}

// allowsKind reports whether jobs of a kind are allowed.
func (g *Grant) allowsKind(kind usher.Kind) bool {
	return len(g.Kinds) == 0 || slices.Contains(g.Kinds, kind)
}

// allowsOutcomes reports whether numbers from outside may be stored. It is a right that the line
// names: a token without kinds does not have it.
func (g *Grant) allowsOutcomes() bool { return slices.Contains(g.Kinds, usher.Outcomes) }

// allowsAdvertiser reports whether jobs of an advertiser are allowed.
func (g *Grant) allowsAdvertiser(code string) bool {
	return len(g.Advertisers) == 0 || slices.Contains(g.Advertisers, code)
}

// owns reports whether a job may be read and cancelled as far as its publisher is concerned.
func (g *Grant) owns(record *usher.Record) bool { return g.All || record.Publisher == g.Name }

// grant is a line of the token file.
type grant struct {
	Grant
	hash [sha256.Size]byte // of the token, which is random: it needs no slow hash
}

// Tokens is a token file with one line name:kinds:advertisers:hash for each token. Kinds and
// advertisers are lists with commas, and empty for all; the hash is SHA-256 in hex. A token reads and
// cancels the jobs that were submitted with its name; with a fifth field, all, those of others, too. Empty
// lines and lines that begin with # are skipped. Several lines may have one name, so that a
// token can be replaced without a gap.
//
// The file is read again while requests arrive. A line that is damaged then grants nothing and
// is logged; the others stay valid.
type Tokens struct {
	path   string
	kinds  []usher.Kind
	logger *slog.Logger
	now    func() time.Time

	mu     sync.Mutex
	read   time.Time
	data   []byte
	grants []grant
	err    error // why the file could not be read; then no token is valid
}

// OpenTokens reads a token file, which must be valid. Errors name the line, never its
// contents.
func OpenTokens(path string, kinds []usher.Kind, logger *slog.Logger, now func() time.Time) (*Tokens, error) {
	t := &Tokens{path: path, kinds: kinds, logger: logger, now: now, read: now()}
	data, err := t.readFile()
	if err != nil {
		return nil, err
	}
	grants, damaged := parseTokens(data, kinds)
	if len(damaged) > 0 {
		return nil, fmt.Errorf("read tokens %s: %w", path, damaged[0])
	}
	t.data, t.grants = data, grants
	return t, nil
}

// find returns the grant of a token, or nil for an unknown token. The time that it takes
// does not depend on how much of the token is right.
func (t *Tokens) find(token string) (*grant, error) {
	grants, err := t.current()
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256([]byte(token))
	var found *grant
	for i := range grants {
		if subtle.ConstantTimeCompare(grants[i].hash[:], hash[:]) == 1 {
			found = &grants[i]
		}
	}
	return found, nil
}

// Advertisers returns the advertisers that lines of the file name.
func (t *Tokens) Advertisers() (codes []string) {
	grants, _ := t.current() // without a readable file, there are none
	for _, g := range grants {
		codes = append(codes, g.Advertisers...)
	}
	return codes
}

// current returns the grants in the file, as they were at most readEvery ago.
func (t *Tokens) current() ([]grant, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := t.now(); now.Sub(t.read) >= readEvery || now.Before(t.read) {
		t.read = now
		t.reload()
	}
	return t.grants, t.err
}

func (t *Tokens) reload() {
	data, err := t.readFile()
	switch {
	case err != nil:
		if t.err == nil {
			t.logger.Error("the token file cannot be read: no token is valid until it can", "error", err)
		}
		t.err = err
		return
	case t.err == nil && bytes.Equal(data, t.data):
		return
	}
	grants, damaged := parseTokens(data, t.kinds)
	for _, err := range damaged {
		t.logger.Error("a line of the token file is damaged and grants nothing", "file", t.path, "error", err)
	}
	t.data, t.grants, t.err = data, grants, nil
	t.logger.Info("the token file was read again", "file", t.path, "tokens", len(grants))
}

func (t *Tokens) readFile() ([]byte, error) {
	f, err := os.Open(t.path)
	if err != nil {
		return nil, fmt.Errorf("read tokens: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("read tokens: %w", err)
	}
	if info.Mode().Perm()&0o022 != 0 { // whoever may write to it may submit any job
		return nil, fmt.Errorf("read tokens %s: it has the mode %#o, so that others than its owner may change it: chmod 600 it", t.path, info.Mode().Perm())
	}
	data, err := io.ReadAll(io.LimitReader(f, tokensLimit+1))
	if err != nil {
		return nil, fmt.Errorf("read tokens: %w", err)
	}
	if len(data) > tokensLimit {
		return nil, fmt.Errorf("read tokens %s: it has more than %d bytes", t.path, tokensLimit)
	}
	return data, nil
}

// parseTokens returns the grants of the valid lines, and an error for each other line.
func parseTokens(data []byte, kinds []usher.Kind) (grants []grant, damaged []error) {
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, tokensLimit+1)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		g, err := parseGrant(line, kinds)
		if err != nil {
			damaged = append(damaged, fmt.Errorf("line %d: %w", n, err))
			continue
		}
		grants = append(grants, g)
	}
	return grants, damaged
}

// allJobs is the fifth field of a line.
const allJobs = "all"

// parseGrant parses a line name:kinds:advertisers:hash or name:kinds:advertisers:hash:all. Its errors never contain the line.
func parseGrant(line string, kinds []usher.Kind) (g grant, err error) {
	fields := strings.Split(line, ":")
	if len(fields) == 5 && fields[4] == allJobs {
		g.All, fields = true, fields[:4]
	}
	if len(fields) != 4 {
		return g, errors.New("not of the form name:kinds:advertisers:hash or name:kinds:advertisers:hash:all")
	}
	g.Name = fields[0]
	for _, kind := range listOf(fields[1]) {
		g.Kinds = append(g.Kinds, usher.Kind(kind))
	}
	g.Advertisers = listOf(fields[2])
	if err := g.check(kinds); err != nil {
		return g, err
	}
	hash, err := hex.DecodeString(fields[3])
	if err != nil || len(hash) != len(g.hash) {
		return g, errors.New("the hash is not a SHA-256 in hex: create the line with `usher intake token`")
	}
	copy(g.hash[:], hash)
	return g, nil
}

func listOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

var (
	validName       = regexp.MustCompile(`^[A-Za-z0-9._@-]{1,64}$`)
	validAdvertiser = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
)

// check checks what a line may hold.
func (g *Grant) check(kinds []usher.Kind) error {
	if !validName.MatchString(g.Name) {
		return errors.New("a token's name has 1 to 64 letters, digits and . _ @ -")
	}
	for _, kind := range g.Kinds {
		if !slices.Contains(kinds, kind) && kind != usher.Outcomes {
			return errors.New("there is no such kind of job: an empty list means all kinds, and outcomes is a right that a line must name")
		}
	}
	for _, code := range g.Advertisers {
		if !validAdvertiser.MatchString(code) {
			return errors.New("an advertiser's code has 1 to 64 letters, digits and _ -")
		}
	}
	return nil
}

// NewToken returns a new random token for a grant, and its line for a token file, which
// does not reveal the token.
func NewToken(g Grant, kinds []usher.Kind) (token, line string, err error) {
	if err := g.check(kinds); err != nil {
		return "", "", err
	}
	token = secretStart + rand.Text() + rand.Text()
	words := make([]string, len(g.Kinds))
	for i, kind := range g.Kinds {
		words[i] = string(kind)
	}
	hash := sha256.Sum256([]byte(token))
	line = fmt.Sprintf("%s:%s:%s:%x", g.Name, strings.Join(words, ","), strings.Join(g.Advertisers, ","), hash)
	if g.All {
		line += ":" + allJobs
	}
	return token, line, nil
}

// rates limits the requests of each token.
type rates struct {
	perSecond float64
	now       func() time.Time

	mu     sync.Mutex
	limits map[[sha256.Size]byte]*rate.Limiter // by the token's hash
}

func newRates(perSecond float64, now func() time.Time) *rates {
	return &rates{perSecond: perSecond, now: now, limits: map[[sha256.Size]byte]*rate.Limiter{}}
}

// wait counts a request and returns 0, or how long the token must wait.
func (r *rates) wait(g *grant) time.Duration {
	if r.perSecond <= 0 {
		return 0
	}
	r.mu.Lock()
	limit := r.limits[g.hash]
	if limit == nil {
		limit = rate.NewLimiter(rate.Limit(r.perSecond), int(math.Ceil(r.perSecond)))
		r.limits[g.hash] = limit
	}
	r.mu.Unlock()
	now := r.now()
	reserved := limit.ReserveN(now, 1)
	delay := reserved.DelayFrom(now)
	if delay > 0 {
		reserved.CancelAt(now)
	}
	return delay
}
