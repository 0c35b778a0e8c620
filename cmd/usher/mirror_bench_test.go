package main_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"usher"
)

// BenchmarkMirror mirrors an export of 10 million ids to a segment, in usher run: as it is on
// the platform, then with 1 % more ids, and then without them. It reports the CPU time of the
// worker for each id against that of segment.add of the same file. The removals are not in it:
// each is a call to the platform, whose CPU time is reported for each removal. With
// USHER_BENCH_LARGE, 100 million ids are mirrored, too. The export is also mirrored with an exception
// of as many other ids.
func BenchmarkMirror(b *testing.B) {
	sizes := []int{1_000_000, 10_000_000}
	if os.Getenv("USHER_BENCH_LARGE") != "" {
		sizes = append(sizes, 100_000_000)
	}
	for _, n := range sizes {
		b.Run(fmt.Sprintf("ids=%dM", n/1_000_000), func(b *testing.B) {
			m := newMirrorBench(b, n)
			for b.Loop() {
				m.round()
			}
			m.report()
		})
	}
}

type mirrorBench struct {
	*deployment

	b          *testing.B
	worker     *process
	ledger     string
	n, jobs    int
	more, less string // exports

	add, unchanged, changed, removal []float64 // ns of CPU time
	except                           []float64
	calls, sent, whole               int64
	rss                              int // KiB
}

func newMirrorBench(b *testing.B, n int) *mirrorBench {
	b.Helper()
	dir := b.TempDir()
	m := &mirrorBench{b: b, n: n, ledger: b.TempDir(), less: writeIDFile(b, dir, n), more: writeIDFile(b, dir, n+n/100)}
	platform := startPlatform(b)
	m.deployment = newDeployment(b, "USHER_PLATFORM_URL="+platform.url, "USHER_SOURCES_ALLOW="+dir,
		"USHER_LEDGER_URL="+m.ledger, "USHER_PLATFORM_RATE=1000000", "USHER_PLATFORM_BURST=1000000")
	program, err := releaseBinary()
	if err != nil {
		b.Fatal(err)
	}
	m.worker = startProcess(b, "worker", append([]string{"USHER_WORKER=worker"}, m.env...), program, "run")
	m.run(usher.SegmentMirror, m.less)
	others := filepath.Join(dir, "others.txt")
	writeIDs(b, others, 2*n, 3*n)
	m.run(usher.TargetMirror, others, job{"campaign": excepted})
	return m
}

// excepted is the campaign with the ids of an exception.
const excepted = "SANDBOX1-spring"

func (m *mirrorBench) round() {
	n := float64(m.n)
	added, cpu := m.run(usher.SegmentAdd, m.less, job{"segment": "2", "profile": "aaid"}) // it has no ledger
	m.whole, m.add = added.Bytes, append(m.add, float64(cpu.Nanoseconds())/n)
	same, cpu := m.run(usher.SegmentMirror, m.less)
	m.calls, m.unchanged = m.calls+same.Batches+same.Removed, append(m.unchanged, float64(cpu.Nanoseconds())/n)
	except, cpu := m.run(usher.SegmentMirror, m.less, job{"except": []string{"campaign/" + excepted}})
	if m.except = append(m.except, float64(cpu.Nanoseconds())/n); except.Tally.Unchanged != int64(m.n) {
		m.b.Fatalf("mirrored %s", recordText(except))
	}
	changed, cpu := m.run(usher.SegmentMirror, m.more)
	m.sent, m.changed = changed.Bytes, append(m.changed, float64(cpu.Nanoseconds())/n)
	back, with := m.run(usher.SegmentMirror, m.less)
	m.removal = append(m.removal, float64((with-cpu).Nanoseconds())/float64(back.Removed))
	if changed.Tally.Unchanged != int64(m.n) || back.Removed != int64(m.n/100) {
		m.b.Fatalf("mirrored %s, and then %s", recordText(changed), recordText(back))
	}
}

// run runs a job and returns its record and the CPU time of the worker.
func (m *mirrorBench) run(k usher.Kind, export string, changes ...job) (usher.Record, time.Duration) {
	m.b.Helper()
	m.jobs++
	id := fmt.Sprintf("job-%d", m.jobs)
	pid := m.worker.cmd.Process.Pid
	before := processTime(m.b, pid)
	j := m.addJob(id, export, changes...)
	if k == usher.TargetMirror {
		delete(j, "segment")
	}
	m.publish(k, j)
	for {
		m.rss = max(m.rss, procStatusKB(pid, "RssAnon"))
		if r := m.record(id); r.State == usher.Done {
			return r, processTime(m.b, pid) - before
		} else if r.State.Ended() {
			m.b.Fatalf("job %s: %s", id, recordText(r))
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func (m *mirrorBench) report() {
	m.b.ReportMetric(0, "ns/op")
	m.b.ReportMetric(median(m.add), "add-ns/id")
	m.b.ReportMetric(median(m.unchanged), "unchanged-ns/id")
	m.b.ReportMetric(median(m.changed), "changed-ns/id")
	m.b.ReportMetric(median(m.unchanged)/median(m.add), "unchanged-×add")
	m.b.ReportMetric(median(m.changed)/median(m.add), "changed-×add")
	m.b.ReportMetric(median(m.except)/median(m.unchanged), "except-×unchanged")
	m.b.ReportMetric(median(m.removal)/1000, "µs/removal")
	m.b.ReportMetric(100*float64(m.sent)/float64(m.whole), "sent-%")
	m.b.ReportMetric(float64(m.calls), "calls")
	m.b.ReportMetric(float64(m.rss)/1024, "RssAnon-MiB")
	m.b.ReportMetric(float64(m.newestGeneration())/float64(m.n), "ledger-B/id")
}

// newestGeneration returns the size of the files of the last generation.
func (m *mirrorBench) newestGeneration() (bytes int64) {
	m.b.Helper()
	folders, err := filepath.Glob(filepath.Join(m.ledger, "*", "segment", "1", "g", "*"))
	if err != nil || len(folders) == 0 {
		m.b.Fatal(folders, err)
	}
	err = filepath.WalkDir(folders[len(folders)-1], func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			bytes += info.Size()
		}
		return err
	})
	if err != nil {
		m.b.Fatal(err)
	}
	return bytes
}

// processTime returns the CPU time that a process has used.
func processTime(b *testing.B, pid int) time.Duration {
	b.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	var ticks int
	for _, field := range fields[11:13] { // in user mode and in the kernel, in 1/100 s
		n, err := strconv.Atoi(field)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}
