package main_test

import (
	"bytes"
	"crypto/md5"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"usher"
	"usher/hashing"
	"usher/internal/sandbox"
)

// largeMirror mirrors an export with three workers.
type largeMirror struct {
	*deployment

	workers map[string]*process
	rss     int // most RssAnon of a worker, in KiB
}

// TestLargeMirror lets three workers mirror an export of many ids, and then one in which 1 % of
// them are others. In each phase of the second mirror a worker is killed. The tally is that of an
// undisturbed run, and the platform and the ledger have what the export has.
// USHER_TEST_MIRROR_IDS sets the number of ids.
func TestLargeMirror(t *testing.T) {
	t.Parallel()
	n := 200_000
	if text := os.Getenv("USHER_TEST_MIRROR_IDS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	part := min(max(n, 64<<10), 32<<20) // bytes
	m := &largeMirror{workers: map[string]*process{}}
	m.deployment = newDeploymentOn(t, sandbox.Options{}, "USHER_LEDGER_URL="+t.TempDir(), "USHER_SOURCES_PART_BYTES="+strconv.Itoa(part),
		"USHER_PLATFORM_RATE=1000000", "USHER_PLATFORM_BURST=1000000")
	for _, name := range []string{"a", "b", "c"} {
		m.workers[name] = m.worker(name)
	}
	first, second := filepath.Join(m.exports, "first.txt"), filepath.Join(m.exports, "second.txt")
	writeIDs(t, first, 0, n)
	writeIDs(t, second, n/100, n+n/100)

	r := m.mirror("first", first, nil)
	m.want(r, usher.Tally{Read: int64(n), Accepted: int64(n)}, 0)
	r = m.mirror("second", second, map[usher.Phase]string{usher.PhaseRead: "a", usher.PhaseCompare: "b", usher.PhaseAdd: "c", usher.PhaseRemove: "a"})
	m.want(r, usher.Tally{Read: int64(n), Accepted: int64(n / 100), Unchanged: int64(n - n/100)}, int64(n/100))

	var want hashing.Fingerprint
	eachID(n/100, n+n/100, func(line []byte) { want.Add(md5.Sum(line[:len(line)-1])) })
	if got := asJSON(m.members("segments/1")); got != asJSON(want) {
		t.Errorf("the segment has %s, want %s", got, asJSON(want))
	}
	if out, code := m.usher("ledger", "verify", "segment/1", "--sample", "1000"); code != 0 {
		t.Errorf("the ledger differs from the platform:\n%s", out)
	}
	t.Logf("%d ids; a worker had at most %d MiB of RssAnon", n, m.rss>>10)
}

// mirror carries out a job, and in each of the phases kills a worker, which starts again.
func (m *largeMirror) mirror(id, export string, kills map[usher.Phase]string) usher.Record {
	m.t.Helper()
	began := time.Now()
	updates := make(chan *nats.Msg, 1000) // further ones are dropped
	if _, err := m.nc.ChanSubscribe("$KV.usher_state.jobs."+id, updates); err != nil {
		m.t.Fatal(err)
	}
	m.publish(usher.SegmentMirror, m.addJob(id, export))
	// A subscriber may get the last update before NATS has stored it.
	tick, stalled := time.NewTicker(100*time.Millisecond), time.NewTimer(patience)
	defer tick.Stop()
	defer stalled.Stop()
	for {
		for _, w := range m.workers {
			m.rss = max(m.rss, procStatusKB(w.cmd.Process.Pid, "RssAnon"))
		}
		select {
		case update := <-updates:
			stalled.Reset(patience)
			for phase, name := range kills {
				if !bytes.Contains(update.Data, fmt.Appendf(nil, `"phase":%q`, phase)) {
					continue
				}
				m.workers[name].kill()
				m.workers[name] = m.worker(name)
				delete(kills, phase)
			}
		case <-tick.C:
		case <-stalled.C:
			m.t.Fatalf("job %s made no progress for %s: %s", id, patience, recordText(m.record(id)))
		}
		if len(updates) > 0 {
			continue
		}
		if r := m.record(id); r.State.Ended() {
			if len(kills) > 0 {
				m.t.Errorf("job %s had no phase of %v", id, kills)
			}
			m.t.Logf("job %s took %s", id, time.Since(began).Round(time.Second))
			return r
		}
	}
}

// want checks the record of a mirror that has ended.
func (m *largeMirror) want(r usher.Record, tally usher.Tally, removed int64) {
	m.t.Helper()
	if r.State != usher.Done || asJSON(r.Tally) != asJSON(tally) || r.Removed != removed {
		m.t.Fatalf("want %s and %d removed: %s", asJSON(tally), removed, recordText(r))
	}
}
