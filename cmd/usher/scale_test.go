package main_test

import (
	"bufio"
	"crypto/md5"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"usher"
	"usher/internal/exports"
	"usher/internal/exports/places"
	"usher/internal/sandbox"
)

// rows is an export with lines of 37 bytes, so that the first line of each part can
// be computed. Of every hundred rows, one is a zero id, one is not an id, and one
// repeats the previous row.
type rows struct {
	n    int
	path string
}

// line appends the i-th line to to.
func (r rows) line(to []byte, i int) []byte {
	switch i % 100 {
	case 41:
		return append(to, "00000000-0000-0000-0000-000000000000\n"...)
	case 67:
		return append(to, "somebody.at.some.place@mail.example!\n"...)
	case 83:
		i--
	}
	x := (uint64(i) + 1) * 0x9e3779b97f4a7c15
	return fmt.Appendf(to, "%08X-%04X-4%03X-A%03X-%012X\n", x>>32, x>>16&0xffff, x&0xfff, x>>12&0xfff, i)
}

func writeRows(t testing.TB, dir string, n int) rows {
	t.Helper()
	r := rows{n, filepath.Join(dir, "rows.txt")}
	f, err := os.Create(r.path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	var line []byte
	for i := range n {
		line = r.line(line[:0], i)
		_, _ = w.Write(line) // Flush returns the error
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return r
}

// oracle returns the expected tally and members of the rows, if they are uploaded in
// the given parts. It uses crypto/md5.
func (r rows) oracle(parts []usher.Part) (usher.Tally, footprint) {
	t := usher.Tally{Read: int64(r.n), Junk: usher.Counts{}, Invalid: usher.Counts{}}
	firstRows := map[int]bool{} // of parts
	for _, p := range parts {
		firstRows[int((p.From+36)/37)] = true
	}
	var sumHi, sumLo, xorHi, xorLo, count uint64
	var line []byte
	for i := range r.n {
		switch i % 100 {
		case 41:
			t.Junk[usher.ZeroID]++
			continue
		case 67:
			t.Invalid[usher.Shape]++
			continue
		case 83:
			if firstRows[i] { // the previous row belongs to another part
				t.Accepted++
			} else {
				t.Duplicate++
			}
			continue
		}
		t.Accepted++
		count++
		line = r.line(line[:0], i)
		d := md5.Sum(line[:36])
		hi, lo := binary.BigEndian.Uint64(d[:8]), binary.BigEndian.Uint64(d[8:])
		var carry uint64
		sumLo, carry = bits.Add64(sumLo, lo, 0)
		sumHi, _ = bits.Add64(sumHi, hi, carry)
		xorHi, xorLo = xorHi^hi, xorLo^lo
	}
	return t, footprint{int64(count), fmt.Sprintf("%016x%016x", sumHi, sumLo), fmt.Sprintf("%016x%016x", xorHi, xorLo)}
}

// TestScaleOut uploads an export with three workers. During the upload it kills two
// workers and starts two others, which take over the lost parts. In the end the
// platform must have every id once, and the tally must be exact. Set
// USHER_TEST_SCALE_IDS=100000000 to test a large export.
func TestScaleOut(t *testing.T) {
	t.Parallel()
	n, partBytes, batch, delay := 600_000, 800_000, 4_000, 100*time.Millisecond
	if text := os.Getenv("USHER_TEST_SCALE_IDS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
		partBytes, batch, delay = 32<<20, 100_000, 20*time.Millisecond
	}
	d := newDeployment(t, fmt.Sprint("USHER_UPLOAD_BATCH_IDS=", batch), fmt.Sprint("USHER_SOURCES_PART_BYTES=", partBytes))
	d.raced = true
	r := writeRows(t, d.exports, n)
	allowed, err := places.Allow([]string{d.exports})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := exports.New(places.New(places.Options{Allowed: allowed}), exports.Options{}).Plan(t.Context(), &usher.Source{URL: r.path}, exports.Wanted{}, int64(partBytes))
	if err != nil {
		t.Fatal(err)
	}
	tally, members := r.oracle(plan.Parts)
	d.slow(delay)
	d.publish(usher.SegmentAdd, d.addJob("shared", r.path))
	began := time.Now()
	workers := []*process{d.worker("one"), d.worker("two"), d.worker("three")}
	done := func() int { return d.record("shared").Parts.Done }
	for i := range 2 {
		eventually(t, "some parts are done", func() bool { return done() >= (i+1)*len(plan.Parts)/4 })
		d.slow(1500 * time.Millisecond) // otherwise all other parts end before the lost part is redelivered
		crashes := d.record("shared").Crashes
		workers[i].kill()
		killed := time.Now()
		d.worker(fmt.Sprintf("replacement-%d", i))
		eventually(t, "another worker has taken the lost part", func() bool { return d.record("shared").Crashes > crashes })
		t.Logf("the lost part was taken after %s, AckWait is %s", time.Since(killed).Round(time.Millisecond), ackWait)
		d.slow(delay)
	}
	d.slow(0)
	for i := range plan.Parts { // one at a time, so that patience applies to each part
		eventually(t, "another part is done", func() bool { return done() > i || d.record("shared").State.Ended() })
	}
	got := d.ended("shared")
	t.Logf("%d rows in %d parts took %s", n, len(plan.Parts), time.Since(began).Round(time.Millisecond))
	if got.State != usher.Done || asJSON(got.Tally) != asJSON(tally) {
		t.Errorf("job shared: record %s, want state done and tally %s", recordText(got), asJSON(tally))
	}
	if f := d.members("segments/1"); f != members {
		t.Errorf("members are %+v, want %+v", f, members)
	}
	if got.Parts != (usher.PartCount{Total: len(plan.Parts), Done: len(plan.Parts)}) {
		t.Errorf("parts are %+v, want all %d done", got.Parts, len(plan.Parts))
	}
}

// BenchmarkScale uploads an export with one, two and three workers. The platform
// delays each response by 100 ms, so that workers wait for responses and not for the
// cores of this machine.
func BenchmarkScale(b *testing.B) {
	const n = 4_000_000
	options := sandbox.Options{Members: "fingerprint"}
	var took [3]float64
	for b.Loop() {
		for i := range took {
			d := newDeploymentOn(b, options, "USHER_UPLOAD_BATCH_IDS=20000", "USHER_SOURCES_PART_BYTES=4000000")
			r := writeRows(b, d.exports, n)
			d.control("PUT", "latency", job{"delayMs": 100}, nil)
			for w := range i + 1 {
				d.worker(fmt.Sprint("worker-", w))
			}
			d.publish(usher.SegmentAdd, d.addJob("warm", newExport(b, d.exports, 100, 1).path))
			d.ended("warm")
			began := time.Now()
			d.publish(usher.SegmentAdd, d.addJob("shared", r.path))
			if got := d.ended("shared"); got.State != usher.Done {
				b.Fatal(recordText(got))
			}
			took[i] += time.Since(began).Seconds()
		}
	}
	b.ReportMetric(0, "ns/op")
	for i := range took {
		b.ReportMetric(took[0]/took[i], fmt.Sprintf("workers=%d-×1", i+1))
	}
}
