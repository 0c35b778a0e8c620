package main_test

import (
	"crypto/md5"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// mirrorModel is what some targets must hold after random jobs.
type mirrorModel struct {
	*deployment

	random     *rand.Rand
	workers    map[string]*process
	kills      int
	jobs       map[usher.Kind]int
	targets    []*mirrorTarget
	suppressed map[[16]byte]bool
}

// mirrorTarget is a target of a mirrorModel.
type mirrorTarget struct {
	place       string // in the control API of the sandbox
	ledger      string // in commands
	fields      job    // of a job for it
	kinds       []usher.Kind
	members     map[[16]byte]bool
	generations map[int64]map[[16]byte]bool
}

// rollBack is the kind of a step that lets a command publish a mirror to an older generation.
const rollBack = usher.Kind("ledger rollback")

// TestMirrorsByKilledWorkers lets three workers carry out jobs of all kinds on two segments and
// the targeting of a campaign, with the ledger in a bucket that refuses some writes and of others
// says so although it has carried them out, on a platform that loses answers and says 429, while
// workers are killed. After each job, the platform and the
// ledger have what the model has. USHER_TEST_MIRROR_JOBS sets the number of jobs.
func TestMirrorsByKilledWorkers(t *testing.T) {
	atNight(t)
	t.Parallel()
	jobs := 5
	if text := os.Getenv("USHER_TEST_MIRROR_JOBS"); text != "" {
		var err error
		if jobs, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	bucket, refused := refusingBucket(t, "ledger")
	m := &mirrorModel{workers: map[string]*process{}, random: rand.New(rand.NewPCG(uint64(jobs), 7)), jobs: map[usher.Kind]int{}, suppressed: map[[16]byte]bool{}}
	for _, segment := range []string{"1", "4"} {
		m.targets = append(m.targets, &mirrorTarget{
			place: "segments/" + segment, ledger: "segment/" + segment, fields: job{"segment": segment},
			kinds: []usher.Kind{usher.SegmentMirror, usher.SegmentMirror, usher.SegmentAdd, usher.SegmentRemove, usher.DeviceForget, rollBack},
		})
	}
	m.targets = append(m.targets, &mirrorTarget{
		place: "campaigns/SANDBOX1-summer", ledger: "campaign/SANDBOX1-summer", fields: job{"campaign": "SANDBOX1-summer"},
		kinds: []usher.Kind{usher.TargetMirror, usher.TargetMirror, usher.TargetAdd, usher.TargetReplace, usher.TargetClear, rollBack},
	})
	m.deployment = newDeploymentOn(t, sandbox.Options{}, "USHER_LEDGER_URL="+bucket, "AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret",
		"USHER_SOURCES_PART_BYTES=65536", "USHER_RETRY_FIRST=50ms", "USHER_RETRY_ATTEMPTS=100")
	for _, name := range []string{"a", "b", "c"} {
		m.workers[name] = m.worker(name)
	}
	for i := range jobs {
		m.step(i)
	}
	for _, target := range m.targets {
		if len(target.generations) == 0 {
			continue
		}
		if out, code := m.usher("ledger", "verify", target.ledger, "--sample", "1000"); code != 0 {
			t.Errorf("the ledger of %s differs from the platform:\n%s", target.ledger, out)
		}
	}
	t.Logf("%v, %d kills, %d refused writes of the ledger", m.jobs, m.kills, refused.Load())
	if m.kills == 0 || refused.Load() == 0 {
		t.Error("no worker was killed, or no write was refused")
	}
}

// refusingBucket serves a bucket that says of one of 30 writes that it has refused it, and returns
// its URL. Half of these it has carried out.
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
			if refused.Add(1)%2 == 0 {
				forward.ServeHTTP(httptest.NewRecorder(), r)
			}
			http.Error(w, "", http.StatusForbidden) // which the client does not try again
			return
		}
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	return "s3://" + name + "?region=eu-central-1&use_path_style=true&endpoint=" + url.QueryEscape(front.URL), refused
}

// step carries out a random job, during which workers are killed and the platform fails.
func (m *mirrorModel) step(number int) {
	m.t.Helper()
	target := m.targets[m.random.IntN(len(m.targets))]
	kind := target.kinds[m.random.IntN(len(target.kinds))]
	if number < len(m.targets) { // the ledgers begin
		target = m.targets[number]
		kind = target.kinds[0]
	}
	m.jobs[kind]++
	for _, kind := range []string{"reset_after", "status"} {
		for _, op := range []string{"segments.upload", "campaigns.add-mobile-targets"} {
			m.control("POST", "faults", job{"op": op, "kind": kind, "status": 429, "times": 1 + m.random.IntN(2)}, nil)
		}
	}
	id := m.begin(number, target, kind)
	updates := m.updatesOf(id)
	m.killAfter(updates, 1+m.random.IntN(8), id)
	m.killAfter(updates, m.random.IntN(20), id)
	if r := m.ended(id); r.State != usher.Done {
		m.t.Fatalf("%s %s: %s", kind, id, recordText(r))
	}
	for _, target := range m.targets {
		if target.members == nil {
			continue
		}
		maps.DeleteFunc(target.members, func(d [16]byte, _ bool) bool { return m.suppressed[d] && kind == usher.DeviceForget })
		if got := m.members(target.place); got != fingerprintOf(target.members) {
			m.t.Fatalf("after %s %s, %s has %+v, want %+v", kind, id, target.place, got, fingerprintOf(target.members))
		}
	}
	for _, target := range m.targets { // forgetting commits a generation of each campaign
		if target.members == nil {
			continue
		}
		if target.generations == nil {
			target.generations = map[int64]map[[16]byte]bool{}
		}
		now := m.generation(target)
		switch {
		case target.generations[now] != nil: // what other jobs change is not in it
		case kind == usher.TargetReplace: // it begins with a generation without ids
			target.generations[now] = map[[16]byte]bool{}
		default:
			target.generations[now] = maps.Clone(target.members)
		}
	}
}

// begin publishes a job, changes the model, and returns the job's id.
func (m *mirrorModel) begin(number int, target *mirrorTarget, kind usher.Kind) (id string) {
	m.t.Helper()
	id = fmt.Sprintf("job-%d", number)
	switch kind {
	case rollBack:
		generations := slices.Sorted(maps.Keys(target.generations))
		to := generations[m.random.IntN(len(generations))]
		target.members = maps.Clone(target.generations[to])
		maps.DeleteFunc(target.members, func(d [16]byte, _ bool) bool { return m.suppressed[d] })
		out, code := m.usher("ledger", "rollback", target.ledger, fmt.Sprint(to), "--force", "--yes")
		if id = rollbackID.FindString(out); code != 0 || id == "" {
			m.t.Fatalf("rollback of %s to %d exited with %d:\n%s", target.ledger, to, code, out)
		}
		return id
	case usher.DeviceForget:
		var ids []string
		for range 20 {
			ids = append(ids, rowOf(m.random.IntN(8000)))
			m.suppressed[md5.Sum([]byte(ids[len(ids)-1]))] = true
		}
		m.publish(kind, job{"id": id, "ids": ids, "reason": "a request", "targets": "now"})
		return id
	}
	body := job{"id": id}
	maps.Copy(body, target.fields)
	given := map[[16]byte]bool{}
	if kind != usher.TargetClear {
		var path string
		path, given = m.writeRows(id, 2000+m.random.IntN(4000))
		maps.Copy(body, job{"profile": "idfa", "source": job{"url": "file://" + path}})
	}
	maps.DeleteFunc(given, func(d [16]byte, _ bool) bool { return m.suppressed[d] && kind != usher.SegmentRemove })
	switch kind {
	case usher.SegmentMirror, usher.TargetMirror:
		body["force"] = true
		target.members = given
	case usher.SegmentAdd, usher.TargetAdd:
		maps.Copy(target.members, given)
	case usher.SegmentRemove:
		maps.DeleteFunc(target.members, func(d [16]byte, _ bool) bool { return given[d] })
	case usher.TargetReplace:
		body["force"] = true
		target.members = given
	default: // cleared
		target.members = given
	}
	m.publish(kind, body)
	return id
}

// rollbackID is the id of a mirror as usher ledger rollback prints it.
var rollbackID = regexp.MustCompile(`rollback-[0-9a-z-]+`)

// generation returns the number of a target's current generation.
func (m *mirrorModel) generation(target *mirrorTarget) int64 {
	m.t.Helper()
	var shown struct {
		Generation int64 `json:"generation"`
	}
	m.usherJSON(&shown, "ledger", "show", target.ledger)
	return shown.Generation
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
		digests[md5.Sum([]byte(rowOf(i)))] = true
		fmt.Fprintln(&rows, rowOf(i))
	}
	path = filepath.Join(m.exports, name+".txt")
	writeFile(m.t, path, rows.String())
	return path, digests
}

func rowOf(i int) string {
	return fmt.Sprintf("%08X-1234-4321-A321-%012X", uint32(i)*2654435761, i)
}
