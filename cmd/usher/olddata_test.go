package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"usher"
)

// TestOldDataStopped opens the data folder of an older version that was stopped by a
// signal. Commands must print the same as before, and the jobs in its streams must
// finish with exact results. testdata/olddata/README.md describes the folder.
func TestOldDataStopped(t *testing.T) {
	t.Parallel()
	o := openOldData(t, "stopped")
	o.wantSameOutput()
	o.wantPausedLanes("audience", "bulk", "campaign")
	o.finishUploads()
	o.replayLetters()
	o.wantExactMembers()
	o.continueRules()
	if code := o.stop(); code != 0 {
		t.Errorf("usher dev exited with %d, want 0", code)
	}
}

// TestOldDataKilled opens the data folder of an older version that was killed during
// an upload and during the parts of another upload.
func TestOldDataKilled(t *testing.T) {
	t.Parallel()
	o := openOldData(t, "killed")
	crashes := 0
	for id, rows := range map[string]int{"parts": 8_800, "halfway": 1_700} {
		r := o.ended(id)
		o.wantDone(r, rows, usher.Tally{})
		crashes += r.Crashes
		if r.Attempts != 1 {
			t.Errorf("job %s had %d attempts, want 1", id, r.Attempts)
		}
	}
	if crashes < 2 {
		t.Errorf("%d crashes are recorded, want at least 2: the kill missed the uploads", crashes)
	}
	o.wantMembersOf("segments/4", deviceIDs("parts", 8_800))
	o.wantMembersOf("segments/1", deviceIDs("halfway", 1_700))
}

// wantSameOutput checks that commands print the same as with the older version,
// except for the reasons why jobs wait.
func (o *oldData) wantSameOutput() {
	o.t.Helper()
	var answers []struct {
		Args []string `json:"args"`
		Out  any      `json:"out"`
	}
	data, err := os.ReadFile(filepath.Join(o.dir, "answers.json"))
	if err != nil {
		o.t.Fatal(err)
	}
	if err := json.Unmarshal(data, &answers); err != nil {
		o.t.Fatal(err)
	}
	if len(answers) < 15 {
		o.t.Errorf("answers.json has only %d answers", len(answers))
	}
	for _, a := range answers {
		var now any
		o.json(&now, a.Args...)
		if a.Args[0] == "jobs" {
			removeVolatile(a.Out)
			removeVolatile(now)
		}
		for _, difference := range differences("", a.Out, now) {
			o.t.Errorf("usher %s: %s", strings.Join(a.Args, " "), difference)
		}
	}
}

// removeVolatile removes fields that are not stored in records: why a job waits, and
// the publication time of a job that no worker has taken yet, which redate changes.
func removeVolatile(records any) {
	for _, r := range records.([]any) {
		r := r.(map[string]any)
		delete(r, "why")
		if id, _ := r["id"].(string); strings.HasPrefix(id, "published") {
			delete(r, "submitted")
		}
	}
}

// differences lists the parts of the JSON value before that are missing or different
// in now. Fields that only now has are ignored.
func differences(at string, before, now any) (all []string) {
	switch before := before.(type) {
	case map[string]any:
		fields, _ := now.(map[string]any)
		for key, value := range before {
			all = append(all, differences(at+"/"+key, value, fields[key])...)
		}
		return all
	case []any:
		if items, _ := now.([]any); len(items) == len(before) {
			for i, value := range before {
				all = append(all, differences(fmt.Sprintf("%s/%d", at, i), value, items[i])...)
			}
			return all
		}
	}
	if !reflect.DeepEqual(before, now) {
		all = append(all, fmt.Sprintf("%s is %s, was %s", at, asJSON(now), asJSON(before)))
	}
	return all
}

func (o *oldData) wantPausedLanes(want ...string) {
	o.t.Helper()
	var lanes []struct {
		Lane   string
		Paused *struct{ By string }
	}
	o.json(&lanes, "lanes", "ls")
	var paused []string
	for _, l := range lanes {
		if l.Paused != nil && l.Paused.By == "ann" {
			paused = append(paused, l.Lane)
		}
	}
	if !slices.Equal(paused, want) {
		o.t.Errorf("paused lanes are %v, want %v", paused, want)
	}
	waiting := o.record("queued")
	if waiting.State != usher.Queued || waiting.Why == nil || !strings.Contains(*waiting.Why, "a test of old data") {
		o.t.Errorf("job on a paused lane: record %s, want state queued and the reason of the pause", recordText(waiting))
	}
}

// finishUploads resumes the upload lanes and waits for their jobs: queued jobs and
// replays, a retry, an upload that was returned to the queue, and a part.
func (o *oldData) finishUploads() {
	o.t.Helper()
	checkpoint := o.record("halfway").Batches
	o.run("lanes", "resume", "audience", "bulk")
	few := usher.Tally{Duplicate: 1, Junk: usher.Counts{usher.ZeroID: 1}, Invalid: usher.Counts{usher.Shape: 1}}
	for _, c := range []struct {
		id       string
		accepted int
		dropped  usher.Tally
	}{
		{"parts", 8_800, usher.Tally{}}, {"retry", 1_000, usher.Tally{}}, {"halfway", 1_700, usher.Tally{}},
		{"queued", 700, few}, {"queued-inline", 1, usher.Tally{Invalid: few.Invalid}}, {"queued-remove", 700, few}, {"queued-behind", 10, usher.Tally{}},
		{"published", 700, few}, {"published-header", 700, few}, {"published-msg-id", 700, few},
	} {
		o.wantDone(o.ended(c.id), c.accepted, c.dropped)
	}
	if r := o.record("parts"); r.Parts != (usher.PartCount{Total: 5, Done: 5}) {
		o.t.Errorf("job parts has %+v, want 5 parts done", r.Parts)
	}
	if r := o.record("halfway"); checkpoint == 0 || r.Batches != 7 || r.Crashes != 0 {
		o.t.Errorf("job halfway continued from batch %d: record %s, want 7 batches and no crash", checkpoint, recordText(r))
	}
	if r := o.record("retry"); r.Attempts != 2 {
		o.t.Errorf("job retry had %d attempts, want 2", r.Attempts)
	}
	for _, id := range []string{"again", "again-edited"} {
		o.wantRerun(id, 30)
	}
	if edited := o.record("again-edited").Edited; edited == nil || edited.By != "ann" {
		o.t.Errorf("job again-edited has the edit %s, want one by ann", asJSON(edited))
	}
}

// replayLetters replays dead letters whose files exist now.
func (o *oldData) replayLetters() {
	o.t.Helper()
	for id, rows := range map[string]int{"missing": 40, "nowhere": 700} {
		o.run("dead", "replay", "--id", id, "--yes", "--wait")
		o.wantRerun(id, rows)
	}
	// Replaying these would break the order: ids were removed from the same segment
	// later, and a newer job set the same creative.
	for id, why := range map[string]string{"behind": "taken out", "older": "newer"} {
		var report struct {
			Replayed int
			Skipped  []struct{ ID, Why string }
		}
		o.json(&report, "dead", "replay", "--id", id, "--yes")
		if report.Replayed != 0 || len(report.Skipped) != 1 || report.Skipped[0].ID != id || !strings.Contains(report.Skipped[0].Why, why) {
			o.t.Errorf("replay of job %s: %+v, want it skipped because of %q", id, report, why)
		}
	}
	var remaining []struct{ Class string }
	o.json(&remaining, "dead", "ls")
	if len(remaining) != 7 { // behind, older, words, outside, quotes, invalid and a letter without an id
		o.t.Errorf("%d letters remain, want 7: %v", len(remaining), remaining)
	}
}

func (o *oldData) wantExactMembers() {
	o.t.Helper()
	o.wantMembersOf("segments/1", deviceIDs("few", 700), []string{deviceID("inline", 1), deviceID("inline", 2), deviceID("queued", 1)},
		deviceIDs("late", 20), deviceIDs("retry", 1_000), deviceIDs("halfway", 1_700), deviceIDs("again", 30), deviceIDs("missing", 40))
	o.wantMembersOf("segments/4", deviceIDs("parts", 8_800), deviceIDs("again", 30), deviceIDs("large", 10))
	o.wantMembersOf("campaigns/SANDBOX1-autumn", deviceIDs("few", 700))
	o.wantMembersOf("campaigns/SANDBOX1-brand")
	quotes := o.record("quotes").Tally.Accepted // by the parts that were done before one failed
	if got, want := o.members("segments/2").Count, 4_500-10+quotes; got != want {
		o.t.Errorf("segment 2 has %d members, want %d", got, want)
	}
}

// continueRules releases the stop switch, approves the held run, undoes the run that
// acted, and forces the replay of a pause that is older than a resume.
func (o *oldData) continueRules() {
	o.t.Helper()
	if out := o.run("rules", "ls"); !strings.Contains(out, "STOPPED") || !strings.Contains(out, "by ann: incident 12") {
		o.t.Errorf("usher rules ls does not show the stop switch:\n%s", out)
	}
	o.run("rules", "start")
	o.run("lanes", "resume", "campaign")
	o.wantDone(o.ended("stopped"), 0, usher.Tally{})
	o.wantStatus("retarget", "INACTIVE")

	o.run("rules", "approve", "held", "--actor", "bob")
	o.wantDone(o.ended("held.SANDBOX1-launch.pause"), 0, usher.Tally{})
	o.wantStatus("launch", "INACTIVE")

	o.wantStatus("video", "INACTIVE")
	o.run("rules", "undo", "acted", "--actor", "bob")
	var runs []struct {
		ID, UndoOf string
		Jobs       []string
	}
	o.json(&runs, "rules", "runs", "--limit", "1")
	if len(runs) != 1 || runs[0].UndoOf != "acted" || len(runs[0].Jobs) != 1 {
		o.t.Fatalf("the newest run is %+v, want an undo of acted with one job", runs)
	}
	o.wantDone(o.ended(runs[0].Jobs[0]), 0, usher.Tally{})
	o.wantStatus("video", "ACTIVE")
	if story := o.run("rules", "why", "video-1"); !strings.Contains(story, "run acted, ") || !strings.Contains(story, "INACTIVE → ACTIVE") {
		o.t.Errorf("usher rules why video-1 does not show the run and the undo:\n%s", story)
	}

	o.run("dead", "replay", "--id", "older", "--yes", "--force", "--wait")
	r := o.record("older")
	if r.State != usher.Done || !slices.ContainsFunc(r.Warnings, func(w usher.Warning) bool { return w.Code == "superseded" }) {
		o.t.Errorf("job older: record %s, want state done and a warning superseded", recordText(r))
	}
	o.wantStatus("loyalty", "ACTIVE")
}
