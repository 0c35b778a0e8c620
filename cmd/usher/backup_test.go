package main_test

import (
	"crypto/md5"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"usher"
	"usher/queues/presence"
)

// TestDisaster saves a backup while workers run jobs, deletes all files of NATS, and restores the
// backup on a new server, once the workers are stopped. Each job in the backup ends with the right
// tally, and the workers take further jobs.
func TestDisaster(t *testing.T) {
	t.Parallel()
	files := filepath.Join(t.TempDir(), "store")
	d := newGuardedDeploymentIn(t, files)
	settings := []string{"USHER_NATS_URL=" + d.natsURL("worker"), "USHER_SOURCES_PART_BYTES=65536", "USHER_UPLOAD_BATCH_IDS=100"}
	start := func() []*process {
		return []*process{d.worker("worker-1", settings...), d.worker("worker-2", settings...)}
	}
	workers := start()

	ended, running, cut, waiting := newExport(t, d.exports, 100, 1), newExport(t, d.exports, 1_500, 2), newExport(t, d.exports, 20_000, 3), newExport(t, d.exports, 700, 4)
	d.publish(usher.SegmentAdd, d.addJob("ended", ended.path))
	d.wantExact(d.ended("ended"), ended, "segments/1")
	d.publish(usher.SegmentAdd, d.addJob("failed", "/outside/export"))
	d.ended("failed")
	if out, code := d.usher("lanes", "pause", "rules", "--reason", "drill"); code != 0 {
		t.Fatal(out)
	}
	d.slow(300 * time.Millisecond)
	d.publish(usher.SegmentAdd, d.addJob("running", running.path))
	d.publish(usher.SegmentAdd, d.addJob("cut", cut.path, job{"segment": "4"}))
	d.publish(usher.TargetReplace, job{"id": "waiting", "campaign": "SANDBOX1-summer", "profile": "idfa", "source": job{"url": "file://" + waiting.path}})
	eventually(t, "parts are uploaded", func() bool { return d.record("cut").Batches > 4 })

	folder := filepath.Join(t.TempDir(), "backup")
	var saved struct {
		Bytes   int64 `json:"bytes"`
		Streams []struct {
			File     string
			Messages uint64
		}
	}
	t.Log(d.usherJSON(&saved, "backup", folder))
	if len(saved.Streams) != 7 || saved.Streams[2].Messages == 0 { // parts of the job that is cut
		t.Errorf("the backup has %+v", saved)
	}
	d.publish(usher.CampaignPause, job{"id": "lost", "campaign": "SANDBOX1-winter"})
	d.ended("lost")

	d.nats.kill()
	if err := os.RemoveAll(files); err != nil {
		t.Fatal(err)
	}
	d.nats.start(t)
	d.slow(0)
	refuseWorkers(t, d, folder, workers)
	refuseDamaged(t, d, folder)
	if out, code := d.usher("restore", folder); code != 0 || !strings.Contains(out, "Lane rules is paused") {
		t.Fatalf("usher restore exited with %d:\n%s", code, out)
	}
	if out, code := d.usher("restore", folder); code != 1 || !strings.Contains(out, "--replace") {
		t.Errorf("a second restore exited with %d:\n%s", code, out)
	}
	start()

	r := d.ended("cut")
	d.publish(usher.SegmentAdd, d.addJob("undisturbed", cut.path, job{"segment": "4"}))
	cut.tally = d.ended("undisturbed").Tally // repetitions across parts are sent twice
	d.wantExact(r, cut, "segments/4")
	d.wantExact(d.ended("waiting"), waiting, "campaigns/SANDBOX1-summer")
	if r := d.ended("running"); asJSON(r.Tally) != asJSON(running.tally) || r.State != usher.Done {
		t.Errorf("the job that ran: %s", recordText(r))
	}
	if r := d.record("ended"); asJSON(r.Tally) != asJSON(ended.tally) || r.State != usher.Done {
		t.Errorf("the job that had ended: %s", recordText(r))
	}
	if letters := d.letters(); len(letters) != 1 || *letters[0].ID != "failed" {
		t.Errorf("the dead letters are %s", asJSON(letters))
	}
	if r := d.record("lost"); r.ID != "" {
		t.Errorf("a job that was published after the backup has the record %s", recordText(r))
	}
	d.publish(usher.CampaignPause, job{"id": "lost", "campaign": "SANDBOX1-winter"})
	if r := d.ended("lost"); r.State != usher.Done {
		t.Errorf("a job that was published again: %s", recordText(r))
	}
	if out, code := d.usher("doctor"); code != 0 {
		t.Errorf("usher doctor exited with %d:\n%s", code, out)
	}
}

// refuseDamaged tests that a backup with a damaged file is refused, and restores nothing.
func refuseDamaged(t *testing.T, d *deployment, folder string) {
	t.Helper()
	damaged := filepath.Join(t.TempDir(), "damaged")
	if err := os.CopyFS(damaged, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(damaged, "KV_usher_rules.snapshot")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2]++
	writeFile(t, path, string(data))
	if out, code := d.usher("restore", damaged); code != 1 || !strings.Contains(out, "damaged") {
		t.Errorf("a damaged backup: exit code %d\n%s", code, out)
	}
	for name := range d.js.StreamNames(t.Context()).Name() {
		t.Errorf("a damaged backup was restored: stream %s", name)
	}
	if err := os.Remove(filepath.Join(damaged, "manifest.json")); err != nil {
		t.Fatal(err)
	}
	if out, code := d.usher("restore", damaged); code != 1 || !strings.Contains(out, "not a complete backup") {
		t.Errorf("a backup without its manifest: exit code %d\n%s", code, out)
	}
}

// refuseWorkers tests that nothing is restored while workers run, and stops them.
func refuseWorkers(t *testing.T, d *deployment, folder string, workers []*process) {
	t.Helper()
	eventually(t, "the workers are connected again", func() bool {
		answers, err := presence.Ask(t.Context(), d.nc, "")
		return err == nil && len(answers) == len(workers)
	})
	for _, flags := range [][]string{nil, {"--replace"}} {
		if out, code := d.usher(append([]string{"restore", folder}, flags...)...); code != 1 || !strings.Contains(out, "restore to NATS at nats://127.0.0.1:") || !strings.Contains(out, "workers run there: worker-1, worker-2; nothing was restored: stop all workers") {
			t.Errorf("restore beside workers: exit code %d\n%s", code, out)
		}
	}
	for _, w := range workers {
		w.signal(syscall.SIGTERM)
	}
	for _, w := range workers {
		w.exit(t)
	}
}

// TestRestoredLedger restores a backup that is older than the last mirror. The next mirror does not
// trust the ledger, and the segment has what its export has.
func TestRestoredLedger(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, "USHER_LEDGER_URL="+t.TempDir())
	worker := d.worker("worker")
	mirror := func(id string, ids ...string) {
		t.Helper()
		path := filepath.Join(d.exports, id+".txt")
		writeFile(t, path, strings.Join(ids, "\n")+"\n")
		d.publish(usher.SegmentMirror, d.addJob(id, path, job{"force": true}))
		want := map[[16]byte]bool{}
		for _, id := range ids {
			want[md5.Sum([]byte(id))] = true
		}
		if r := d.ended(id); r.State != usher.Done || d.members("segments/1") != fingerprintOf(want) {
			t.Errorf("after mirror %s, segment 1 has %+v, want %+v: %s", id, d.members("segments/1"), fingerprintOf(want), recordText(r))
		}
	}
	a, b := "6D92078A-8246-4BA4-AE5B-76104861E7DC", "0B5D7E1C-31A5-4F1B-9B0E-6F5A1C2D3E4F"
	mirror("monday", a, b)
	d.publish(usher.TargetMirror, job{"id": "targeting", "campaign": "SANDBOX1-spring", "profile": "idfa", "force": true, "source": job{"url": "file://" + filepath.Join(d.exports, "monday.txt")}})
	if r := d.ended("targeting"); r.State != usher.Done {
		t.Fatal(recordText(r))
	}
	folder := filepath.Join(t.TempDir(), "backup")
	if out, code := d.usher("backup", folder); code != 0 {
		t.Fatal(out)
	}
	mirror("tuesday", b)
	worker.signal(syscall.SIGTERM)
	worker.exit(t)
	if out, code := d.usher("restore", "--replace", folder); code != 0 || !strings.Contains(out, "sends all ids of its export again: segment/1") {
		t.Fatalf("usher restore exited with %d:\n%s", code, out)
	}
	d.wantUnknownMembers("segment/1", 2)
	d.wantUnknownMembers("campaign/SANDBOX1-spring", 2)
	d.worker("worker")
	mirror("wednesday", a, b) // the restored ledger says that it has both
	if out, code := d.usher("ledger", "verify", "segment/1"); code != 0 {
		t.Error(out)
	}
}

// wantUnknownMembers fails unless the commands say of a target whose ledger was restored that it may
// hold a number of ids, and not that it holds none.
func (d *deployment) wantUnknownMembers(target string, uncertain int64) {
	d.t.Helper()
	type ids struct {
		Target, Unfinished string
		Count, Members     *int64
		Uncertain          int64
		High               *float64
	}
	var ledgers, all []ids
	var shown, verified ids
	d.usherJSON(&ledgers, "ledger", "ls")
	d.usherJSON(&shown, "ledger", "show", target)
	d.usherJSON(&verified, "ledger", "verify", target)
	d.usherJSON(&all, "audiences", "ls")
	isTarget := func(i ids) bool { return i.Target == target }
	for command, i := range map[string]ids{
		"ledger ls": ledgers[slices.IndexFunc(ledgers, isTarget)], "ledger show": shown, "ledger verify": verified, "audiences ls": all[slices.IndexFunc(all, isTarget)],
	} {
		if i.Count != nil || i.Members != nil || i.High != nil || i.Uncertain != uncertain || i.Unfinished != "usher restore" && command != "audiences ls" {
			d.t.Errorf("usher %s of %s: %+v", command, target, i)
		}
	}
	for _, command := range [][]string{{"ledger", "ls"}, {"ledger", "show", target}, {"ledger", "verify", target}} {
		out, code := d.usher(command...)
		if code != 0 || !strings.Contains(out, "unknown") || !strings.Contains(out, "restored from a backup, may hold 2 ids: the next mirror sends all ids again") {
			d.t.Errorf("usher %s exited with %d:\n%s", strings.Join(command, " "), code, out)
		}
	}
}
