package main_test

import (
	"crypto/md5"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/nats-io/nats.go"

	"usher"
	"usher/internal/sandbox"
)

// mirrorModel is what two segments must hold after random jobs.
type mirrorModel struct {
	*deployment

	random  *rand.Rand
	workers map[string]*process
	kills   int
	members map[string]map[[16]byte]bool // by segment
	jobs    int
}

// TestMirrorsByKilledWorkers lets three workers carry out mirrors, uploads and removals on two
// segments, with the ledger in a bucket that refuses some writes, on a platform that loses
// answers and says 429, while workers are killed. After each job, the platform and the ledger
// have what the model has. USHER_TEST_MIRROR_JOBS sets the number of jobs.
func TestMirrorsByKilledWorkers(t *testing.T) {
	t.Parallel()
	jobs := 5
	if text := os.Getenv("USHER_TEST_MIRROR_JOBS"); text != "" {
		var err error
		if jobs, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	bucket, refused := refusingBucket(t, "ledger")
	m := &mirrorModel{workers: map[string]*process{}, random: rand.New(rand.NewPCG(uint64(jobs), 7)), members: map[string]map[[16]byte]bool{"1": {}, "4": {}}}
	m.deployment = newDeploymentOn(t, sandbox.Options{}, "USHER_LEDGER_URL="+bucket, "AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret",
		"USHER_SOURCES_PART_BYTES=65536", "USHER_RETRY_FIRST=50ms", "USHER_RETRY_ATTEMPTS=100")
	for _, name := range []string{"a", "b", "c"} {
		m.workers[name] = m.worker(name)
	}
	for range jobs {
		m.step()
	}
	for segment := range m.members {
		if out, code := m.usher("ledger", "verify", "segment/"+segment, "--sample", "1000"); code != 0 {
			t.Errorf("the ledger of segment %s differs from the platform:\n%s", segment, out)
		}
	}
	t.Logf("%d jobs, %d kills, %d refused writes of the ledger", jobs, m.kills, refused.Load())
	if m.kills == 0 || refused.Load() == 0 {
		t.Error("no worker was killed, or no write was refused")
	}
}

// refusingBucket serves a bucket that refuses one of 30 writes, and returns its URL.
func refusingBucket(t *testing.T, name string) (address string, refused *atomic.Int64) {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket(name); err != nil {
		t.Fatal(err)
	}
	store := httptest.NewServer(gofakes3.New(backend, gofakes3.WithLogger(gofakes3.DiscardLog())).Server())
	t.Cleanup(store.Close)
	target, err := url.Parse(store.URL)
	if err != nil {
		t.Fatal(err)
	}
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }}
	refused = new(atomic.Int64)
	var writes atomic.Int64
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut && writes.Add(1)%30 == 0 {
			refused.Add(1)
			http.Error(w, "", http.StatusForbidden) // which the client does not try again
			return
		}
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	return "s3://" + name + "?region=eu-central-1&use_path_style=true&endpoint=" + url.QueryEscape(front.URL), refused
}

// step carries out a random job, during which workers are killed and the platform fails.
func (m *mirrorModel) step() {
	m.t.Helper()
	m.jobs++
	id, segment := fmt.Sprintf("job-%d", m.jobs), []string{"1", "4"}[m.random.IntN(2)]
	kind := []usher.Kind{usher.SegmentMirror, usher.SegmentMirror, usher.SegmentAdd, usher.SegmentRemove}[m.random.IntN(4)]
	if m.jobs <= 2 { // the ledgers begin
		kind, segment = usher.SegmentMirror, []string{"1", "4"}[m.jobs-1]
	}
	held := m.members[segment]
	path, given := m.writeRows(id, 2000+m.random.IntN(4000))
	for _, kind := range []string{"reset_after", "status"} {
		m.control("POST", "faults", job{"op": "segments.upload", "kind": kind, "status": 429, "times": 1 + m.random.IntN(2)}, nil)
	}
	body := m.addJob(id, path, job{"segment": segment})
	if kind == usher.SegmentMirror {
		body["force"] = true
	}
	updates := m.updatesOf(id)
	m.publish(kind, body)
	m.killAfter(updates, 1+m.random.IntN(8), id)
	m.killAfter(updates, m.random.IntN(20), id)
	if r := m.ended(id); r.State != usher.Done {
		m.t.Fatalf("%s %s: %s", kind, id, recordText(r))
	}
	switch kind {
	case usher.SegmentMirror:
		m.members[segment] = given
	case usher.SegmentAdd:
		for d := range given {
			held[d] = true
		}
	default:
		for d := range given {
			delete(held, d)
		}
	}
	for segment, want := range m.members {
		if got := m.deployment.members("segments/" + segment); got != fingerprintOf(want) {
			m.t.Fatalf("after %s %s, segment %s has %+v, want %+v", kind, id, segment, got, fingerprintOf(want))
		}
	}
}

// updatesOf receives the changes of a job's records.
func (m *mirrorModel) updatesOf(id string) chan *nats.Msg {
	m.t.Helper()
	updates := make(chan *nats.Msg, 1000) // further ones are dropped
	for _, keys := range []string{"jobs." + id, "parts." + id + ".>"} {
		if _, err := m.nc.ChanSubscribe("$KV.usher_state."+keys, updates); err != nil {
			m.t.Fatal(err)
		}
	}
	return updates
}

// killAfter kills a worker after a number of changes of a job's records, and starts it again, if
// the job has not ended by then.
func (m *mirrorModel) killAfter(updates chan *nats.Msg, n int, id string) {
	m.t.Helper()
	ended := false
	waitUntil(m.t, "the records of job "+id+" change", updates, func() bool {
		n--
		ended = m.record(id).State.Ended()
		return n < 0 || ended
	})
	if ended {
		return
	}
	name := string("abc"[m.random.IntN(3)])
	m.workers[name].kill()
	m.workers[name] = m.worker(name)
	m.kills++
}

// writeRows writes ids drawn from 8,000, so that exports overlap.
func (m *mirrorModel) writeRows(name string, n int) (path string, digests map[[16]byte]bool) {
	m.t.Helper()
	var rows strings.Builder
	digests = map[[16]byte]bool{}
	for _, i := range m.random.Perm(8000)[:n] {
		id := fmt.Sprintf("%08X-1234-4321-A321-%012X", uint32(i)*2654435761, i)
		digests[md5.Sum([]byte(id))] = true
		fmt.Fprintln(&rows, id)
	}
	path = filepath.Join(m.exports, name+".txt")
	writeFile(m.t, path, rows.String())
	return path, digests
}
