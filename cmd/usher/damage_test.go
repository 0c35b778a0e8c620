package main_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"usher"
)

// While jobs run, every stored value is overwritten with garbage, and garbage is stored as
// events, audit entries and dead letters. No lane stops, every accepted job ends, and no id is
// lost. doctor names the damaged values and repairs them.
func TestDamageStopsNothing(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, "USHER_SOURCES_PART_BYTES=65536", "USHER_UPLOAD_BATCH_IDS=500")
	d.raced = true
	large, small := newExport(t, d.exports, 8_000, 5), newExport(t, d.exports, 300, 6)
	d.worker("first")
	d.worker("second")
	for _, garbage := range []struct{ name, value string }{
		{"empty", ""}, {"object", "{}"}, {"list", "[1]"}, {"cut-off", `{"run":1,"state":"run`}, {"long", strings.Repeat("x", 1_000_000)},
	} {
		run := garbage.name
		d.slow(100 * time.Millisecond)
		before := d.uploads()
		var ids []string
		publish := func(kind usher.Kind, body job) {
			d.publish(kind, body)
			ids = append(ids, body["id"].(string))
		}
		for i := range 3 {
			publish(usher.SegmentAdd, d.addJob(fmt.Sprintf("%s-large-%d", run, i), large.path))
			publish(usher.SegmentAdd, d.addJob(fmt.Sprintf("%s-small-%d", run, i), small.path))
			publish(usher.CampaignPause, job{"id": fmt.Sprintf("%s-pause-%d", run, i), "campaign": "SANDBOX1-spring"})
			publish(usher.CampaignResume, job{"id": fmt.Sprintf("%s-resume-%d", run, i), "campaign": "SANDBOX1-spring"})
		}
		publish(usher.SegmentRemove, job{"id": run + "-remove", "segment": "1", "profile": "idfa", "source": job{"ids": []string{"6D92078A-8246-4BA4-AE5B-76104861E7DC"}}})
		eventually(t, "parts are uploaded", func() bool { return d.uploads() > before+2 })
		d.damage(garbage.value)
		d.damageEntries(garbage.value, ids)
		d.slow(0)
		eventually(t, "no job and no part waits or runs with values that are "+run, func() bool { return d.waiting() == 0 })
		for _, id := range ids {
			// The record of a job that had ended before no longer exists.
			if r := d.record(id); r.ID != "" && !r.State.Ended() {
				t.Errorf("%s: job %s is on record as %s", run, id, recordText(r))
			}
		}
	}
	if got, want := d.members("segments/1").Count, int64(len(large.digests)+len(small.digests)); got != want {
		t.Errorf("the segment has %d members, want %d", got, want)
	}

	d.damage("{}")
	if out, code := d.usher("doctor"); code != 1 || !strings.Contains(out, "damaged and count as missing: ") || !strings.Contains(out, "jobs.") {
		t.Errorf("doctor exited with %d and does not name what is damaged:\n%s", code, out)
	}
	if out, _ := d.usher("doctor", "--repair"); !strings.Contains(out, "removed: ") {
		t.Errorf("doctor --repair printed:\n%s", out)
	}
	if found, err := d.queue.Damaged(t.Context()); err != nil || len(found) > 0 {
		t.Errorf("after the repair are damaged: %v, %v", found, err)
	}
	if out, _ := d.usher("doctor"); !strings.Contains(out, "none is damaged") {
		t.Errorf("after the repair doctor printed:\n%s", out)
	}
	d.publish(usher.SegmentAdd, d.addJob("after", small.path))
	if r := d.ended("after"); r.State != usher.Done || asJSON(r.Tally) != asJSON(small.tally) {
		t.Errorf("the job after the repair: %s", recordText(r))
	}
}

// Dead letters, audit entries and events that are garbage hide no others. doctor names them
// and removes them.
func TestDamagedEntries(t *testing.T) {
	t.Parallel()
	d := newDeployment(t)
	d.worker("first")
	d.publish(usher.SegmentAdd, job{"id": "missing", "segment": "1", "profile": "idfa", "source": job{"url": "file://" + d.exports + "/missing.csv"}})
	d.ended("missing")
	var damaged []string
	for _, value := range []string{"", "{}", "[1]", "null", "7", `{"id":"missing","run":1,"sta`, strings.Repeat("x", 1_000_000)} {
		for _, subject := range []string{
			"usher.dead.segment.add.source_missing", "usher.audit._letters", "usher.audit._switch", "usher.audit.SANDBOX1-spring", "usher.events.missing", "usher.events.x",
		} {
			ack, err := d.js.Publish(t.Context(), subject, []byte(value))
			if err != nil {
				t.Fatal(err)
			}
			damaged = append(damaged, fmt.Sprintf("%s/%d", ack.Stream, ack.Sequence))
		}
	}
	d.publish(usher.SegmentAdd, job{"id": "missing-2", "segment": "1", "profile": "idfa", "source": job{"url": "file://" + d.exports + "/missing.csv"}})
	d.ended("missing-2")
	shows := func() {
		t.Helper()
		if out, code := d.usher("dead", "ls", "--json"); code != 0 || strings.Count(out, `"seq"`) != 2 {
			t.Errorf("dead ls exited with %d and printed:\n%s", code, out)
		}
		if out, code := d.usher("jobs", "show", "missing"); code != 0 || strings.Contains(out, "0001") {
			t.Errorf("jobs show exited with %d and printed:\n%s", code, out)
		}
	}
	shows()
	found, err := d.queue.Damaged(t.Context())
	if slices.Sort(found); err != nil || !slices.Equal(found, slices.Sorted(slices.Values(damaged))) {
		t.Errorf("found are %v, %v; damaged %v", found, err, damaged)
	}
	if out, code := d.usher("doctor"); code != 1 || !strings.Contains(out, "42 values are damaged") || !strings.Contains(out, "USHER_DEAD/") {
		t.Errorf("doctor exited with %d and does not name what is damaged:\n%s", code, out)
	}
	if out, _ := d.usher("doctor", "--repair"); !strings.Contains(out, "removed: ") {
		t.Errorf("doctor --repair printed:\n%s", out)
	}
	if out, _ := d.usher("doctor"); !strings.Contains(out, "none is damaged") {
		t.Errorf("after the repair doctor printed:\n%s", out)
	}
	shows()
}

// damage writes a value over every value of both buckets and of Redis.
func (d *deployment) damage(value string) {
	d.t.Helper()
	ctx := d.t.Context()
	for _, bucket := range []string{"usher_state", "usher_rules"} {
		kv, err := d.js.KeyValue(ctx, bucket)
		if err != nil {
			d.t.Fatal(err)
		}
		keys, err := kv.ListKeys(ctx)
		if err != nil {
			d.t.Fatal(err)
		}
		for key := range keys.Keys() {
			if _, err := kv.PutString(ctx, key, value); err != nil {
				d.t.Fatal(err)
			}
		}
	}
	rdb := redis.NewClient(&redis.Options{Addr: fmt.Sprintf("127.0.0.1:%d", d.redis.port)})
	defer func() { _ = rdb.Close() }()
	for _, key := range rdb.Keys(ctx, "usher:*").Val() {
		if err := rdb.Set(ctx, key, value, 0).Err(); err != nil {
			d.t.Fatal(err)
		}
	}
}

// damageEntries stores a value as the newest event of jobs, audit entry and dead letter.
func (d *deployment) damageEntries(value string, ids []string) {
	d.t.Helper()
	subjects := []string{"usher.audit.SANDBOX1-spring", "usher.dead.segment.add.source_missing"}
	for _, id := range ids {
		subjects = append(subjects, "usher.events."+id)
	}
	for _, subject := range subjects {
		if _, err := d.js.Publish(d.t.Context(), subject, []byte(value)); err != nil {
			d.t.Fatal(err)
		}
	}
}

// waiting returns how many jobs and parts wait or run.
func (d *deployment) waiting() (n int64) {
	states, err := d.queue.Lanes().States(d.t.Context())
	if err != nil {
		return 1
	}
	for _, s := range states {
		n += s.Waiting + s.Running
	}
	return n
}
