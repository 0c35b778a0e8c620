package ledger_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"usher/internal/ledger"
)

// merging is what a process that merges deltas is told.
type merging struct {
	URL  string      `json:"url"`
	Head ledger.Head `json:"head"`
}

// mergingEnv is the variable with the merging of a process.
const mergingEnv = "USHER_TEST_MERGING"

// most is the number of sources that are merged at once in these tests.
const most = 6

// A process that merges deltas, in TestMergeKilled.
func TestMergingProcess(t *testing.T) {
	text := os.Getenv(mergingEnv)
	if text == "" {
		t.Skip("it is a part of TestMergeKilled")
	}
	var m merging
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	s, err := ledger.Open(t.Context(), ledger.Options{URL: m.URL, Heads: newHeads()})
	if err != nil {
		t.Fatal(err)
	}
	s.MergeAtMost(most)
	state, err := s.Load(t.Context(), m.Head)
	if err == nil {
		err = errors.Join(state.Close(t.Context()), s.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// killer kills a process when it has written a number of merged files.
type killer struct {
	mu     sync.Mutex
	left   int
	kill   func()
	killed bool
}

// wrote counts a merged file.
func (k *killer) wrote() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.left--; k.left <= 0 && k.kill != nil && !k.killed {
		k.killed = true
		k.kill()
	}
}

// start starts a process that is killed after a number of files, and returns a function that
// waits for its end, and reports whether it was killed.
func (k *killer) start(t *testing.T, m merging, after int) (end func() bool) {
	t.Helper()
	told, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run=^TestMergingProcess$")
	cmd.Env = append(os.Environ(), mergingEnv+"="+string(told))
	k.mu.Lock()
	k.left, k.killed = after, false
	k.mu.Unlock()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	k.mu.Lock()
	k.kill = func() { _ = cmd.Process.Kill() } // Wait says whether it was
	k.mu.Unlock()
	return func() bool { return cmd.Wait() != nil }
}

// A process that is killed while it merges deltas in steps changes nothing for others: in a
// folder and in a bucket of S3, they read the same members.
func TestMergeKilled(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	k := &killer{}
	backend := s3mem.New()
	s3 := gofakes3.New(backend, gofakes3.WithLogger(gofakes3.DiscardLog())).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s3.ServeHTTP(w, r)
		if r.Method == http.MethodPut && strings.Contains(r.URL.Path, "/r/") {
			k.wrote()
		}
	}))
	defer server.Close()
	if err := backend.CreateBucket("bucket"); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, place := range map[string]string{"folder": folder, "s3": "s3://bucket/ledger?region=eu-central-1&use_path_style=true&endpoint=" + url.QueryEscape(server.URL)} {
		t.Run(name, func(t *testing.T) {
			h := newHistoryAt(t, place, 3, 200)
			h.adopt(h.pool[:50])
			h.set(h.pool[:50], 0, true, true)
			for i := range 40 {
				h.write(i, i == 17)
			}
			head, _, err := h.store.Head(t.Context(), h.target)
			h.must(err)
			kills := 0
			for after := 1; after <= 7; after += 2 {
				end := k.start(t, merging{place, head}, after)
				stop := func() {}
				if name == "folder" {
					stop = watchFolder(filepath.Join(folder, "A", "segment", "1", "r"), k)
				}
				if end() {
					kills++
				}
				stop()
			}
			if kills < 2 {
				t.Errorf("%d processes were killed while they merged", kills)
			}
			names, err := h.store.Names(t.Context())
			h.must(err)
			left := 0
			for _, name := range names {
				if strings.Contains(name, "/r/") {
					h.must(h.store.Remove(t.Context(), name)) // a day later
					left++
				}
			}
			if left == 0 {
				t.Error("the killed processes have left no files, so that they were killed too early")
			}
			h.check(1000)
			h.check(most)
			t.Logf("%d kills, %d files were left", kills, left)
		})
	}
}

// watchFolder counts the files that appear in the folders of a folder, until it is stopped.
func watchFolder(folder string, k *killer) (stop func()) {
	var watching sync.WaitGroup
	done := make(chan struct{})
	watching.Go(func() {
		seen := map[string]bool{}
		for tick := time.NewTicker(100 * time.Microsecond); ; {
			select {
			case <-done:
				tick.Stop()
				return
			case <-tick.C:
			}
			found, _ := filepath.Glob(filepath.Join(folder, "*", "*")) // the pattern is well-formed
			for _, path := range found {
				if !seen[path] {
					seen[path] = true
					k.wrote()
				}
			}
		}
	})
	return func() {
		close(done)
		watching.Wait()
	}
}
