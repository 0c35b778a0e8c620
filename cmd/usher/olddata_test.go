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

// TestOldDataStopped opens the data folder of an older version that was stopped
// by a signal. What it stored must read as it did, and what waited on its
// streams must end exactly. testdata/olddata/README.md describes the folder.
func TestOldDataStopped(t *testing.T) {
	t.Parallel()
	o := openOldData(t, "stopped")
	o.readsAsBefore()
	o.lanesArePaused("audience", "bulk", "campaign")
	o.uploadsEnd()
	o.lettersAreReplayed()
	o.membersAreExact()
	o.rulesGoOn()
	if code := o.stop(); code != 0 {
		t.Errorf("usher dev exits with %d", code)
	}
}

// TestOldDataKilled opens the data folder of an older version that was killed
// in the middle of an upload and of the parts of another one.
func TestOldDataKilled(t *testing.T) {
	t.Parallel()
	o := openOldData(t, "killed")
	crashes := 0
	for id, rows := range map[string]int{"parts": 8_800, "halfway": 1_700} {
		r := o.ended(id)
		o.isDone(r, rows, usher.Tally{})
		crashes += r.Crashes
		if r.Attempts != 1 {
			t.Errorf("job %s had %d attempts", id, r.Attempts)
		}
	}
	if crashes < 2 {
		t.Errorf("%d crashes are on record: the kill missed the uploads", crashes)
	}
	o.holds("segments/4", deviceIDs("parts", 8_800))
	o.holds("segments/1", deviceIDs("halfway", 1_700))
}

// readsAsBefore compares what commands print with what the older version
// printed. What waits may have another reason to wait.
func (o *oldData) readsAsBefore() {
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
		o.t.Errorf("there are only %d answers", len(answers))
	}
	for _, a := range answers {
		var now any
		o.json(&now, a.Args...)
		if a.Args[0] == "jobs" {
			withoutMoving(a.Out)
			withoutMoving(now)
		}
		for _, difference := range differences("", a.Out, now) {
			o.t.Errorf("usher %s: %s", strings.Join(a.Args, " "), difference)
		}
	}
}

// withoutMoving removes what is not stored in records: why a job waits, and
// the time of publish of a job that no worker has taken yet, see redate.
func withoutMoving(records any) {
	for _, r := range records.([]any) {
		r := r.(map[string]any)
		delete(r, "why")
		if id, _ := r["id"].(string); strings.HasPrefix(id, "published") {
			delete(r, "submitted")
		}
	}
}

// differences lists where the JSON value now has not all that before has. A
// field that before does not have is none.
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

func (o *oldData) lanesArePaused(want ...string) {
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
		o.t.Errorf("paused are the lanes %v, not %v", paused, want)
	}
	waiting := o.record("queued")
	if waiting.State != usher.Queued || waiting.Why == nil || !strings.Contains(*waiting.Why, "a test of old data") {
		o.t.Errorf("a job on a paused lane is %s", said(waiting))
	}
}

// uploadsEnd resumes the lanes of uploads and waits for what lies on them:
// queued jobs and replays, a retry, an upload that was given back, and a part.
func (o *oldData) uploadsEnd() {
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
		o.isDone(o.ended(c.id), c.accepted, c.dropped)
	}
	if r := o.record("parts"); r.Parts != (usher.PartCount{Total: 5, Done: 5}) {
		o.t.Errorf("job parts has %+v", r.Parts)
	}
	if r := o.record("halfway"); checkpoint == 0 || r.Batches != 7 || r.Crashes != 0 {
		o.t.Errorf("job halfway went on at batch %d: %s", checkpoint, said(r))
	}
	if r := o.record("retry"); r.Attempts != 2 {
		o.t.Errorf("job retry had %d attempts", r.Attempts)
	}
	for _, id := range []string{"again", "again-edited"} {
		o.reruns(id, 30)
	}
	if edited := o.record("again-edited").Edited; edited == nil || edited.By != "ann" {
		o.t.Errorf("job again-edited was edited: %s", asJSON(edited))
	}
}

// lettersAreReplayed replays dead letters, whose files are there now.
func (o *oldData) lettersAreReplayed() {
	o.t.Helper()
	for id, rows := range map[string]int{"missing": 40, "nowhere": 700} {
		o.run("dead", "replay", "--id", id, "--yes", "--wait")
		o.reruns(id, rows)
	}
	// Order: a removal from the same segment was done since, and a newer job
	// spoke on the same creative.
	for id, why := range map[string]string{"behind": "taken out", "older": "newer"} {
		var report struct {
			Replayed int
			Skipped  []struct{ ID, Why string }
		}
		o.json(&report, "dead", "replay", "--id", id, "--yes")
		if report.Replayed != 0 || len(report.Skipped) != 1 || report.Skipped[0].ID != id || !strings.Contains(report.Skipped[0].Why, why) {
			o.t.Errorf("the replay of job %s: %+v", id, report)
		}
	}
	var left []struct{ Class string }
	o.json(&left, "dead", "ls")
	if len(left) != 7 { // behind, older, words, outside, quotes, invalid and one without an id
		o.t.Errorf("%d letters are left: %v", len(left), left)
	}
}

func (o *oldData) membersAreExact() {
	o.t.Helper()
	o.holds("segments/1", deviceIDs("few", 700), []string{deviceID("inline", 1), deviceID("inline", 2), deviceID("queued", 1)},
		deviceIDs("late", 20), deviceIDs("retry", 1_000), deviceIDs("halfway", 1_700), deviceIDs("again", 30), deviceIDs("missing", 40))
	o.holds("segments/4", deviceIDs("parts", 8_800), deviceIDs("again", 30), deviceIDs("large", 10))
	o.holds("campaigns/SANDBOX1-autumn", deviceIDs("few", 700))
	o.holds("campaigns/SANDBOX1-brand")
	quotes := o.record("quotes").Tally.Accepted // before the part of it that failed
	if got, want := o.members("segments/2").Count, 4_500-10+quotes; got != want {
		o.t.Errorf("segment 2 has %d members, not %d", got, want)
	}
}

// rulesGoOn releases the stop switch, approves the run that is held, undoes the
// one that acted, and has an older pause run after a newer resume.
func (o *oldData) rulesGoOn() {
	o.t.Helper()
	if out := o.run("rules", "ls"); !strings.Contains(out, "STOPPED") || !strings.Contains(out, "by ann: incident 12") {
		o.t.Errorf("the stop switch was thrown, and now:\n%s", out)
	}
	o.run("rules", "start")
	o.run("lanes", "resume", "campaign")
	o.isDone(o.ended("stopped"), 0, usher.Tally{})
	o.hasStatus("retarget", "INACTIVE")

	o.run("rules", "approve", "held", "--actor", "bob")
	o.isDone(o.ended("held.SANDBOX1-launch.pause"), 0, usher.Tally{})
	o.hasStatus("launch", "INACTIVE")

	o.hasStatus("video", "INACTIVE")
	o.run("rules", "undo", "acted", "--actor", "bob")
	var runs []struct {
		ID, UndoOf string
		Jobs       []string
	}
	o.json(&runs, "rules", "runs", "--limit", "1")
	if len(runs) != 1 || runs[0].UndoOf != "acted" || len(runs[0].Jobs) != 1 {
		o.t.Fatalf("the newest run is %+v", runs)
	}
	o.isDone(o.ended(runs[0].Jobs[0]), 0, usher.Tally{})
	o.hasStatus("video", "ACTIVE")
	if story := o.run("rules", "why", "video-1"); !strings.Contains(story, "run acted, ") || !strings.Contains(story, "INACTIVE → ACTIVE") {
		o.t.Errorf("the story of video-1:\n%s", story)
	}

	o.run("dead", "replay", "--id", "older", "--yes", "--force", "--wait")
	r := o.record("older")
	if r.State != usher.Done || !slices.ContainsFunc(r.Warnings, func(w usher.Warning) bool { return w.Code == "superseded" }) {
		o.t.Errorf("job older is %s", said(r))
	}
	o.hasStatus("loyalty", "ACTIVE")
}
