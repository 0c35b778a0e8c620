package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"usher"
)

// TestUpgrade upgrades from the previous version to this one, and goes back: jobs and parts are in
// flight, and workers of both versions run together. Every job ends with the right tally. It needs
// the program of the previous version, which `make upgrade` builds from the commit in
// .ci/previous.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	previous := os.Getenv("USHER_TEST_PREVIOUS_PROGRAM")
	if previous == "" {
		t.Skip("USHER_TEST_PREVIOUS_PROGRAM names no program of the previous version: make upgrade builds one")
	}
	t.Run("upgrade", func(t *testing.T) {
		t.Parallel()
		change(t, previous, commandProgram(t), true)
	})
	t.Run("rollback", func(t *testing.T) {
		t.Parallel()
		change(t, commandProgram(t), previous, false)
	})
}

// change replaces the workers of one version by those of another one, one after the other.
func change(t *testing.T, from, to string, migrate bool) {
	t.Helper()
	d := newDeployment(t, "USHER_SOURCES_PART_BYTES=65536", "USHER_UPLOAD_BATCH_IDS=200")
	d.declareBy(from)
	old := []*process{d.workerOf("old-1", from), d.workerOf("old-2", from)}

	ended, running, cut, waiting := newExport(t, d.exports, 300, 1), newExport(t, d.exports, 1_600, 2), newExport(t, d.exports, 90_000, 3), newExport(t, d.exports, 900, 4)
	d.publish(usher.SegmentAdd, d.addJob("ended", ended.path))
	d.wantExact(d.ended("ended"), ended, "segments/1")
	d.publish(usher.SegmentAdd, d.addJob("failed", d.exports+"/missing"))
	d.ended("failed")
	d.slow(250 * time.Millisecond)
	d.publish(usher.SegmentAdd, d.addJob("cut", cut.path, job{"segment": "4"}))
	d.publish(usher.SegmentAdd, d.addJob("running", running.path))
	eventually(t, "parts are uploaded", func() bool { return d.record("cut").Batches > 4 })

	if migrate {
		d.by(to, "migrate")
	}
	d.stop(old[0])
	d.workerOf("new-1", to)
	d.publish(usher.TargetReplace, job{"id": "waiting", "campaign": "SANDBOX1-summer", "profile": "idfa", "source": job{"url": "file://" + waiting.path}})
	for _, id := range []string{"pause-1", "pause-2"} { // by either version
		d.publish(usher.CampaignPause, job{"id": id, "campaign": "SANDBOX1-" + map[string]string{"pause-1": "spring", "pause-2": "winter"}[id]})
	}
	for _, worker := range []string{"old-2", "new-1"} {
		takes := strings.Count(d.log(worker), "msg=begins job=cut")
		eventually(t, "both versions take parts", func() bool { return strings.Count(d.log(worker), "msg=begins job=cut") > takes+1 })
	}
	d.stop(old[1])
	d.workerOf("new-2", to)
	d.slow(0)

	r := d.ended("cut")
	d.publish(usher.SegmentAdd, d.addJob("undisturbed", cut.path, job{"segment": "4"}))
	cut.tally = d.ended("undisturbed").Tally // repetitions across parts are sent twice
	d.wantExact(r, cut, "segments/4")
	d.wantExact(d.ended("waiting"), waiting, "campaigns/SANDBOX1-summer")
	if r := d.ended("running"); asJSON(r.Tally) != asJSON(running.tally) || r.State != usher.Done || r.Crashes != 0 {
		t.Errorf("the job that ran: %s", recordText(r))
	}
	for _, id := range []string{"pause-1", "pause-2"} {
		if r := d.ended(id); r.State != usher.Done {
			t.Errorf("the pause: %s", recordText(r))
		}
	}
	if r := d.ended("cut"); r.Crashes != 0 {
		t.Errorf("%d crashes were counted", r.Crashes)
	}
	d.replayBy(to, newExport(t, d.exports, 50, 5))
}

// declareBy declares the streams by a version's migrate.
func (d *deployment) declareBy(program string) {
	d.t.Helper()
	for name := range d.js.StreamNames(d.t.Context()).Name() {
		if err := d.js.DeleteStream(d.t.Context(), name); err != nil {
			d.t.Fatal(err)
		}
	}
	d.by(program, "migrate")
}

// workerOf starts a worker of a version.
func (d *deployment) workerOf(name, program string) *process {
	d.t.Helper()
	return startProcess(d.t, name, append([]string{"USHER_WORKER=" + name}, d.env...), program, "run")
}

// log returns what a worker has logged.
func (d *deployment) log(worker string) string {
	d.t.Helper()
	data, err := os.ReadFile(filepath.Join(logDir(d.t), worker+".log"))
	if err != nil {
		d.t.Fatal(err)
	}
	return string(data)
}

// by runs a command of a version, which must succeed.
func (d *deployment) by(program string, args ...string) string {
	d.t.Helper()
	cmd := exec.CommandContext(d.t.Context(), program, args...)
	cmd.Env = append(os.Environ(), d.env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.t.Fatalf("usher %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// stop stops a worker as a deploy does.
func (d *deployment) stop(worker *process) {
	d.t.Helper()
	worker.signal(syscall.SIGTERM)
	if code := worker.exit(d.t); code != 0 {
		d.t.Errorf("a worker exited with %d", code)
	}
}

// replayBy replays, by a version, the letter that the other one has written, after its cause is
// fixed.
func (d *deployment) replayBy(program string, e export) {
	d.t.Helper()
	if err := os.Rename(e.path, d.exports+"/missing"); err != nil {
		d.t.Fatal(err)
	}
	for _, command := range []string{"jobs show ended", "jobs ls", "dead groups", "doctor"} {
		d.by(program, strings.Fields(command)...)
	}
	d.by(program, "dead", "replay", "--id", "failed", "--yes")
	eventually(d.t, "the replay has ended", func() bool { r := d.record("failed"); return r.Run == 2 && r.State.Ended() })
	if r := d.record("failed"); r.State != usher.Done || r.Tally.Accepted != e.tally.Accepted {
		d.t.Errorf("the replay: %s", recordText(r))
	}
	if letters := d.letters(); slices.ContainsFunc(letters, func(l usher.DeadLetter) bool { return *l.ID == "failed" }) {
		d.t.Error("the letter that was replayed is still there")
	}
}
