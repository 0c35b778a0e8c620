package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"usher"
	"usher/hashing"
	_ "usher/internal/exports/places/cloud"
	"usher/internal/ledger"
)

// closing is a server of a bucket that closes the connection of one request.
type closing struct {
	http.Handler

	mu       sync.Mutex
	requests int
	at       int  // the request whose connection is closed; 0: none
	late     bool // after half of the body
	before   func(*http.Request)
}

// set closes the connection of the request with a number, counted from 1.
func (c *closing) set(at int, late bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests, c.at, c.late = 0, at, late
}

// heal closes no more connections.
func (c *closing) heal() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = 0
}

// seen returns the number of requests since set.
func (c *closing) seen() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.requests
}

func (c *closing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	c.requests++
	closes, late, before := c.requests == c.at, c.late, c.before
	c.mu.Unlock()
	if before != nil {
		before(r)
	}
	switch {
	case !closes:
		c.Handler.ServeHTTP(w, r)
		return
	case !late:
		panic(http.ErrAbortHandler)
	}
	whole := httptest.NewRecorder()
	c.Handler.ServeHTTP(whole, r)
	maps.Copy(w.Header(), whole.Header())
	if n := whole.Body.Len(); n > 0 {
		w.Header().Set("Content-Length", strconv.Itoa(n))
	}
	w.WriteHeader(whole.Code)
	_, _ = w.Write(whole.Body.Bytes()[:whole.Body.Len()/2])
	if whole.Body.Len() > 0 {
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

// openClosing opens a store in a bucket of S3 whose server closes connections. Nothing below the store
// sends a request again.
func openClosing(t *testing.T, h *heads) (*ledger.Store, *closing) {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	backend := s3mem.New()
	if err := backend.CreateBucket("bucket"); err != nil {
		t.Fatal(err)
	}
	c := &closing{Handler: gofakes3.New(backend, gofakes3.WithLogger(gofakes3.DiscardLog())).Server()}
	server := httptest.NewServer(c)
	server.Config.SetKeepAlivesEnabled(false) // the client would send a request again if its connection was used before
	t.Cleanup(server.Close)
	s, err := ledger.Open(t.Context(), ledger.Options{
		URL: "s3://bucket/usher/ledger?region=eu-central-1&use_path_style=true&rate_limiter_capacity=1&endpoint=" + url.QueryEscape(server.URL), Heads: h,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, c
}

// wantUnknown fails the test if an error says more than that the answer to a request is not known.
func wantUnknown(t *testing.T, what string, err error) {
	t.Helper()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, new(*ledger.DamagedError)) || errors.As(err, new(*usher.Permanent)) {
		t.Errorf("%s: %v", what, err)
	}
}

// each runs an operation several times, and closes the connection of another one of its requests each time,
// before the answer and in the middle of it. The operation must return an error, or what it returns otherwise.
func (c *closing) each(t *testing.T, name string, do func() (any, error)) {
	t.Helper()
	c.set(0, false)
	want, err := do()
	requests := c.seen()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	failed := 0
	for at := 0; at < requests; at += requests/10 | 1 { // odd, because a file is opened by two requests
		for _, late := range []bool{false, true} {
			c.set(at+1, late)
			got, err := do()
			if err != nil {
				failed++
				wantUnknown(t, fmt.Sprintf("%s, request %d, late %t", name, at+1, late), err)
			} else if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, request %d, late %t: %v, not %v", name, at+1, late, got, want)
			}
		}
	}
	c.heal()
	if failed == 0 {
		t.Errorf("%s never failed", name)
	}
}

// A connection that is closed before the answer, or in the middle of it, is neither the end of the members
// nor damage: whatever reads a ledger returns an error that is worth another attempt.
func TestClosedConnections(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	h := newHeads()
	s, server := openClosing(t, h)
	random := rand.New(rand.NewPCG(51, 52))
	all := digests(random, 900)
	target, other := ledger.Target{Advertiser: "A", Name: "segment/1"}, ledger.Target{Advertiser: "A", Name: "segment/2"}
	mirror := func(target ledger.Target, job string, wanted []hashing.Digest, except []string, holdout *usher.Holdout) (*ledger.Comparison, *ledger.Differences) {
		t.Helper()
		head, revision, err := s.Head(t.Context(), target)
		if err != nil {
			head = ledger.Head{V: 1, Target: target}
		}
		c := &ledger.Comparison{Job: job, Run: 1, Head: head, Revision: revision, Today: 20_000, Duration: 30, Holdout: holdout}
		if c.Except, err = s.Except(t.Context(), target, idfa, except); err != nil {
			t.Fatal(err)
		}
		w := s.Staging(target, job, 1).Runs(ledger.ReadStep, 0, 0)
		defer w.Release()
		added := w.Add(t.Context(), wanted)
		n, err := w.Flush(t.Context())
		c.Runs = []int{n}
		c.Cut(1 << 21) // several shards
		if err = errors.Join(added, err, s.Staging(target, job, 1).WriteComparison(t.Context(), c)); err != nil {
			t.Fatal(err)
		}
		for group := range c.Groups {
			if err := s.Compare(t.Context(), c, group, nil); err != nil {
				t.Fatal(err)
			}
		}
		found, err := s.Differences(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		return c, found
	}
	commit := func(c *ledger.Comparison, found *ledger.Differences, withheld *ledger.Withheld) (ledger.Head, error) {
		head, revision, err := s.BeginMirror(t.Context(), c, nil)
		if err != nil {
			return head, err
		}
		return s.Commit(t.Context(), &ledger.Commit{Head: head, Revision: revision, Job: c.Job, Run: 1, Profile: idfa, Duration: 30, Shards: found.Shards, Withheld: withheld})
	}
	holdout := &usher.Holdout{Percent: 20, Key: "key"}
	for _, of := range []struct {
		target ledger.Target
		job    string
		wanted []hashing.Digest
	}{{other, "other", all[600:800]}, {target, "first", all[:700]}, {target, "second", all[100:700]}} {
		c, found := mirror(of.target, of.job, of.wanted, nil, holdout)
		if _, err := commit(c, found, &ledger.Withheld{Holdout: holdout, HeldOut: found.HeldOut}); err != nil {
			t.Fatal(err)
		}
	}
	change(t, s, target, "add", set{}, pick(random, all, 10), false)
	c, found := mirror(target, "third", all[200:900], []string{other.Name}, holdout)
	head, _, err := s.Head(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	reads := func(do func(*ledger.State) error) error {
		state, err := s.Load(t.Context(), head)
		if err != nil {
			return err
		}
		return errors.Join(do(state), state.Close(t.Context()))
	}
	staging := s.Staging(target, "third", 1)
	refused := staging.Runs("refused", 0, 0)
	written := 0
	if err = refused.Add(t.Context(), append(slices.Clone(all[300:350]), all[800:850]...)); err == nil {
		written, err = refused.Flush(t.Context())
	}
	refused.Release()
	if err != nil {
		t.Fatal(err)
	}
	for name, do := range map[string]func() (any, error){
		"compare": func() (any, error) {
			var err error
			for group := 0; group < c.Groups && err == nil; group += 5 {
				err = s.Compare(t.Context(), c, group, nil)
			}
			if err != nil {
				return nil, err
			}
			server.heal()
			return s.Differences(t.Context(), c)
		},
		"write the comparison": func() (any, error) { return nil, staging.WriteComparison(t.Context(), c) },
		"members": func() (n any, err error) {
			var print hashing.Fingerprint
			err = reads(func(state *ledger.State) error {
				return state.EachMember(t.Context(), func(d hashing.Digest, _ bool) error { print.Add(d); return nil })
			})
			return print, err
		},
		"held out": func() (any, error) {
			n := 0
			err := reads(func(state *ledger.State) error {
				return state.EachHeldOut(t.Context(), func(hashing.Digest) error { n++; return nil })
			})
			return n, err
		},
		"count": func() (size any, err error) {
			err = reads(func(state *ledger.State) (err error) { size, err = s.Count(t.Context(), state); return err })
			return size, err
		},
		"former": func() (any, error) {
			n := 0
			err := reads(func(state *ledger.State) error { return state.Former(t.Context(), func(hashing.Digest) { n++ }) })
			return n, err
		},
		"find": func() (found any, err error) {
			err = reads(func(state *ledger.State) (err error) { found, _, err = state.Find(t.Context(), all[:3]); return err })
			return found, err
		},
		"export": func() (any, error) {
			n := 0
			err := s.Export(t.Context(), target, false, func(hashing.Digest) error { n++; return nil })
			return n, err
		},
		"overlap": func() (any, error) {
			o, err := s.Overlap(t.Context(), []ledger.Target{target, other})
			if err != nil {
				return nil, err
			}
			return o.All(), nil
		},
		"generation": func() (any, error) { return s.Generation(t.Context(), target, 1) },
		"list": func() (any, error) {
			list, err := s.OpenList(t.Context(), found.Adds, 3, ledger.Digests(found.Adds)-3)
			if err != nil {
				return nil, err
			}
			defer list.Close()
			for n := 0; ; {
				some, err := list.Next(make([]hashing.Digest, 0, 7))
				if err == io.EOF { //nolint:errorlint // an error that wraps it is none
					return n, nil
				}
				if err != nil {
					return n, err
				}
				n += len(some)
			}
		},
		"correct": func() (any, error) {
			files, err := staging.Files(t.Context(), "refused", 0, written)
			if err != nil {
				return nil, err
			}
			corrected, err := s.Correct(t.Context(), c, &ledger.Correction{Head: head, Shards: found.Shards, Refused: files})
			return ledger.Digests(corrected), err
		},
		"commit": func() (any, error) { // takes over what the last mirror has held out
			before, revisions := maps.Clone(h.heads), maps.Clone(h.revisions)
			defer func() { h.heads, h.revisions = before, revisions }()
			head, err := commit(c, found, nil)
			if err != nil {
				return nil, err
			}
			server.heal()
			w, err := s.Withheld(t.Context(), &head)
			return ledger.Digests(w.HeldOut), err
		},
	} {
		t.Run(name, func(t *testing.T) { server.each(t, name, do) })
	}
}

// A digest is sought in a large file without taking a response that was cut for the end of the file.
func TestClosedWhileSeeking(t *testing.T) {
	s, server := openClosing(t, newHeads())
	all := digests(rand.New(rand.NewPCG(53, 54)), 5000)
	records := make([]ledger.Record, len(all))
	for i, d := range all {
		records[i].Digest = d
	}
	f, err := s.WriteFile(t.Context(), "file", records, false)
	if err != nil {
		t.Fatal(err)
	}
	server.each(t, "seek", func() (any, error) {
		found, _, err := s.Seek(t.Context(), f, all[2000:2003])
		return found, err
	})
}

// A list is rebuilt without what is damaged, and not without what could not be read at one attempt.
func TestClosedWhileRebuilding(t *testing.T) {
	h := newHeads()
	s, server := openClosing(t, h)
	some := digests(rand.New(rand.NewPCG(55, 56)), 300)
	if _, _, err := s.Suppression().Add(t.Context(), "cli", some); err != nil {
		t.Fatal(err)
	}
	before := h.suppression
	data, err := s.Get(t.Context(), before.Files[0].Name)
	if err == nil {
		data[0] ^= 8
		err = s.Put(t.Context(), before.Files[0].Name, data)
	}
	if err != nil {
		t.Fatal(err)
	}
	for at := 1; at <= 40; at += 3 {
		for _, late := range []bool{false, true} {
			server.set(at, late)
			if _, err := s.Suppression().Rebuild(t.Context(), "cli"); err == nil {
				t.Fatalf("request %d, late %t: it was rebuilt", at, late)
			} else {
				wantUnknown(t, fmt.Sprintf("request %d, late %t", at, late), err)
			}
			if !reflect.DeepEqual(h.suppression, before) {
				t.Fatalf("request %d, late %t: the head was changed", at, late)
			}
		}
	}
	server.set(0, false)
	if rebuilt, err := s.Suppression().Rebuild(t.Context(), "cli"); err != nil || rebuilt.Digests >= 300 || rebuilt.Digests < 200 {
		t.Errorf("%+v: %v", rebuilt, err)
	}
}

// A file that was replaced by a shorter one while it is read is damaged, because its size says so.
func TestShortened(t *testing.T) {
	s, server := openClosing(t, newHeads())
	f, err := s.WriteFile(t.Context(), "file", records(rand.New(rand.NewPCG(57, 58)), 400, false), false)
	if err != nil {
		t.Fatal(err)
	}
	data, err := s.Get(t.Context(), "file")
	if err != nil {
		t.Fatal(err)
	}
	shorten := sync.OnceFunc(func() {
		if err := s.Put(context.WithoutCancel(t.Context()), "file", data[:len(data)/4]); err != nil {
			t.Error(err)
		}
	})
	server.before = func(r *http.Request) {
		if strings.HasPrefix(r.Header.Get("Range"), "bytes=0-") {
			shorten()
		}
	}
	if _, err := s.ReadFile(t.Context(), f, 0, 256, 1<<20); !errors.As(err, new(*ledger.DamagedError)) {
		t.Errorf("it is read with error %v", err)
	}
}

// A generation whose manifest could not be read at one attempt is not one that is no longer kept; one whose
// manifest is damaged leaves the others as they are.
func TestClosedWhileListing(t *testing.T) {
	s, server := openClosing(t, newHeads())
	target := ledger.Target{Advertiser: "A", Name: "segment/1"}
	all := digests(rand.New(rand.NewPCG(59, 60)), 20)
	for i := range 3 {
		adopt(t, s, target, pick(rand.New(rand.NewPCG(61, uint64(i))), all, 10), ledger.Comparison{Job: fmt.Sprintf("adopt-%d", i)}, idfa)
		if i == 0 {
			if err := s.Put(t.Context(), "A/segment/1/g/0000000001-adopt-0-1/manifest.json", []byte("{")); err != nil {
				t.Fatal(err)
			}
		}
	}
	server.each(t, "generation", func() (any, error) { return s.Generation(t.Context(), target, 2) })
	server.each(t, "generations", func() (any, error) { return s.Generations(t.Context(), target) })
	generations, err := s.Generations(t.Context(), target)
	if err != nil || len(generations) != 2 {
		t.Errorf("%d generations: %v", len(generations), err)
	}
}
