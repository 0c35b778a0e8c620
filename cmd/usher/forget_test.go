package main_test

import (
	"crypto/md5"
	"fmt"
	"maps"
	"testing"
	"time"

	"usher"
	"usher/queues/audit"
)

// Ids are forgotten while two workers upload exports with them, and one of the workers is
// killed: no batch that was on its way brings an id back, nor does a later job.
func TestForgetRacesUploads(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, "USHER_UPLOAD_BATCH_IDS=500", "USHER_SOURCES_PART_BYTES=200000", "USHER_PLATFORM_TIMEOUT=5s", "USHER_LEDGER_URL="+t.TempDir())
	e := newExport(t, d.exports, 20_000, 9)
	d.publish(usher.SegmentMirror, d.addJob("first", newExport(t, d.exports, 100, 10).path))
	d.worker("first")
	second := d.worker("second")
	if r := d.ended("first"); r.State != usher.Done {
		t.Fatalf("the first mirror ended %s: %+v", r.State, r.Error)
	}
	rest := maps.Clone(e.digests)
	for round, kind := range []usher.Kind{usher.SegmentMirror, usher.SegmentAdd, usher.SegmentMirror} {
		d.slow(50 * time.Millisecond)
		upload, forget := fmt.Sprintf("upload-%d", round), fmt.Sprintf("forget-%d", round)
		segment := "1"
		if round == 2 {
			segment = "4" // which is empty: there is something to upload
		}
		before := d.uploads()
		body := d.addJob(upload, e.path, job{"segment": segment})
		if kind.Mirrors() {
			body["force"] = true
		}
		d.publish(kind, body)
		eventually(t, "some batches were uploaded", func() bool { return d.uploads() > before+6 })
		ids := e.raw[round*6 : round*6+6]
		d.publish(usher.DeviceForget, job{"id": forget, "ids": ids, "reason": "a request"})
		if round == 1 {
			eventually(t, "the ids are being forgotten", func() bool { return d.record(forget).State == usher.Running })
			second.kill()
			d.worker("third")
		}
		for _, id := range []string{forget, upload} {
			if r := d.ended(id); r.State != usher.Done {
				t.Errorf("%s ended %s: %+v", id, r.State, r.Error)
			}
			d.slow(0)
		}
		for _, id := range ids {
			delete(rest, md5.Sum([]byte(id)))
		}
		for _, on := range []string{"1", segment} {
			if got, want := d.members("segments/"+on), fingerprintOf(rest); got != want {
				t.Errorf("after %s and %s segment %s is %+v, want %+v", kind, forget, on, got, want)
			}
		}
	}
}

// The estimate of a device.forget goes by the limit that somebody has set at run time.
func TestForgetEstimatesByTheLimitThatIsSet(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, "USHER_LEDGER_URL="+t.TempDir())
	limit := usher.Setting{Kind: usher.RateLimit, Name: "SANDBOX1", Rate: usher.Rate{PerSecond: 10}}
	if err := d.queue.Settings().Set(t.Context(), limit, audit.Act{Actor: "ann", Reason: "a test"}); err != nil {
		t.Fatal(err)
	}
	d.worker("one")
	n := 0
	eventually(t, "the estimate goes by 10 calls a second, of which campaign jobs have a fifth", func() bool {
		n++
		id := fmt.Sprintf("forget-%d", n)
		d.publish(usher.DeviceForget, job{"id": id, "ids": []string{"6D92078A-8246-4BA4-AE5B-76104861E7DC"}, "reason": "a request"})
		r := d.ended(id)
		if r.Receipt == nil || r.Receipt.Calls == 0 {
			t.Fatalf("%s: %+v", id, r)
		}
		return r.Receipt.Seconds == int64(float64(r.Receipt.Calls)/8+1)
	})
}
