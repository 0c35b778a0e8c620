package queues_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/queues"
)

func TestJobIsTakenAndEnds(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	q := b.queue(t)
	lane := slot(t, q, queues.Audience)
	b.publish(t, usher.SegmentAdd, addJob)
	l := next(t, lane)
	w := l.Work()
	if w.ID != "j1" || w.Run != 1 || w.Kind != usher.SegmentAdd || w.Attempts != 1 || w.Job.Segment != "1" || w.Order != 1 {
		t.Fatalf("work is %+v", w)
	}
	if r := record(t, q, "j1"); r.State != usher.Running || r.Started == nil {
		t.Fatalf("record says %+v", r)
	}
	if err := l.End(done(7)); err != nil {
		t.Fatal(err)
	}
	r := record(t, q, "j1")
	if r.State != usher.Done || r.Tally.Accepted != 7 || r.Finished == nil || r.Parts != (usher.PartCount{Total: 1, Done: 1}) {
		t.Fatalf("record says %+v", r)
	}
	if n := b.pending(t, "USHER_JOBS"); n != 0 {
		t.Fatalf("%d messages are left on the stream", n)
	}
}

func TestSecondMessageOfAnID(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	q := b.queue(t)
	lane := slot(t, q, queues.Audience)
	b.publish(t, usher.SegmentAdd, addJob)
	if err := next(t, lane).End(done(1)); err != nil {
		t.Fatal(err)
	}
	b.publish(t, usher.SegmentAdd, strings.ReplaceAll(addJob, `,`, ` , `)) // the same job, written otherwise
	none(t, lane)
	if found := letters(t, q); len(found) != 0 {
		t.Fatalf("the same job again made letters: %+v", found)
	}
	b.publish(t, usher.SegmentAdd, strings.Replace(addJob, `"segment":"1"`, `"segment":"2"`, 1))
	none(t, lane)
	found := letters(t, q)
	if len(found) != 1 || found[0].Class != usher.InvalidJob || *found[0].ID != "j1" {
		t.Fatalf("another job of the same id made letters: %+v", found)
	}
	if r := record(t, q, "j1"); r.State != usher.Done {
		t.Fatalf("the record of the first job was touched: %+v", r)
	}
	plan, err := q.PlanReplay(t.Context(), queues.LetterFilter{}, true)
	if err != nil || plan.Count != 0 || plan.LeftOut.Count != 1 {
		t.Fatalf("its replay is not objected to: %+v %v", plan, err)
	}
}

func TestIDs(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	q := b.queue(t)
	lane := slot(t, q, queues.Audience)
	body := strings.Replace(addJob, `"id":"j1",`, "", 1)
	b.publish(t, usher.SegmentAdd, body, "ce-id", "from-event", "Nats-Msg-Id", "from-message")
	b.publish(t, usher.SegmentAdd, body, "Nats-Msg-Id", "from-message-2")
	b.publish(t, usher.SegmentAdd, body)
	for _, want := range []string{"from-event", "from-message-2", "seq-3"} {
		l := next(t, lane)
		if l.Work().ID != want {
			t.Errorf("id is %s, not %s", l.Work().ID, want)
		}
		if err := l.End(done(1)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRetryCountsAttempts(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	q := b.queue(t)
	lane := slot(t, q, queues.Audience)
	b.publish(t, usher.SegmentAdd, addJob)
	steps := []struct {
		counts       bool
		attemptsNext int
	}{{false, 1}, {true, 2}, {false, 2}, {true, 3}}
	l := next(t, lane)
	for _, step := range steps {
		if err := l.Retry(usher.Progress{}, time.Millisecond, "because", step.counts); err != nil {
			t.Fatal(err)
		}
		l = next(t, lane)
		if w := l.Work(); w.Attempts != step.attemptsNext || w.Crashes != 0 {
			t.Fatalf("after counts=%t: %d attempts, %d crashes", step.counts, w.Attempts, w.Crashes)
		}
	}
	if r := record(t, q, "j1"); r.State != usher.Running || r.Why != nil || r.Retry != nil {
		t.Errorf("tried again, the record is %s", mustJSON(t, r))
	}
	if err := l.Retry(usher.Progress{}, time.Hour, "waits for spring", false); err != nil {
		t.Fatal(err)
	}
	if r := record(t, q, "j1"); r.State != usher.Retrying || r.Why == nil || *r.Why != "waits for spring" || r.Retry != nil {
		t.Errorf("given back, the record is %s", mustJSON(t, r))
	}
}

func TestFailedJobAndReplay(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	q := b.queue(t)
	lane := slot(t, q, queues.Audience)
	b.publish(t, usher.SegmentAdd, addJob)
	l := next(t, lane)
	end := failed(usher.NotFound)
	end.Progress.Checkpoint = usher.Checkpoint{Batches: 3, Rows: 30, Tally: usher.Tally{Read: 30, Accepted: 30}}
	if err := l.End(end); err != nil {
		t.Fatal(err)
	}
	found := letters(t, q)
	if len(found) != 1 || *found[0].ID != "j1" || found[0].Class != usher.NotFound || found[0].Target != "segment 1" || found[0].Attempts != 1 {
		t.Fatalf("letters: %+v", found)
	}
	if r := record(t, q, "j1"); r.State != usher.Failed || r.Error == nil || r.Error.Hint != "mend it" {
		t.Fatalf("record says %+v", r)
	}
	if err := q.Replay(t.Context(), found[0].Seq); err != nil {
		t.Fatal(err)
	}
	if err := q.Replay(t.Context(), found[0].Seq); !errors.Is(err, queues.ErrNoLetter) {
		t.Fatalf("a second replay says %v", err)
	}
	l = next(t, lane)
	w := l.Work()
	if w.Run != 2 || w.Order != 1 || w.Attempts != 1 || w.Progress.Checkpoint.Batches != 3 {
		t.Fatalf("the replay's work is %+v", w)
	}
	if err := l.End(done(40)); err != nil {
		t.Fatal(err)
	}
	if r := record(t, q, "j1"); r.State != usher.Done || r.Run != 2 || r.Error != nil {
		t.Fatalf("record says %+v", r)
	}
	if found := letters(t, q); len(found) != 0 {
		t.Fatalf("letters are left: %+v", found)
	}
	none(t, lane)
}

func TestInvalidMessages(t *testing.T) {
	t.Parallel()
	const canary = "6D92078A-8246-4BA4-AE5B-76104861E7DC"
	b := newBroker(t)
	q := b.queue(t)
	lane := slot(t, q, queues.Audience)
	cases := []struct{ name, kind, body, id string }{
		{"unknown field", "segment.add", `{"id":"a","segment":"1","profile":"idfa","source":{"ids":["` + canary + `"]},"colour":"` + canary + `"}`, "a"},
		{"ids in the wrong place", "segment.add", `{"id":"b","segment":"1","profile":"idfa","source":"` + canary + `"}`, "b"},
		{"ids that are no strings", "segment.add", `{"id":"d","segment":"1","profile":"idfa","source":{"ids":["` + canary + `",7]}}`, "d"},
		{"ids in text", "segment.add", `{"id":"e","segment":"1","profile":"idfa","reason":"it is ` + canary + `, really","actor":"` + strings.ReplaceAll(canary, "-", "") + `","source":{"column":"` + canary + `"}}`, "e"},
		{"unknown verb", "segment.paint", `{"id":"c","segment":"1"}`, "c"},
		{"no JSON", "segment.add", canary, ""},
		{"id of another type", "segment.add", `{"id":["` + canary + `"],"segment":"1"}`, ""},
	}
	for _, c := range cases {
		b.publish(t, usher.Kind(c.kind), c.body)
	}
	none(t, lane)
	found := letters(t, q)
	if len(found) != len(cases) {
		t.Fatalf("%d letters, not %d: %s", len(found), len(cases), mustJSON(t, found))
	}
	for i, c := range cases {
		l := found[i]
		if l.Class != usher.InvalidJob || (l.ID == nil) != (c.id == "") || l.ID != nil && *l.ID != c.id {
			t.Errorf("%s: letter is %s", c.name, mustJSON(t, l))
		}
		if (l.Job == nil) != (c.id == "") {
			t.Errorf("%s: letter's job is %s", c.name, l.Job)
		}
		if c.name == "ids that are no strings" && !strings.Contains(string(l.Job), `"ids":2`) {
			t.Errorf("%s: letter's job is %s", c.name, l.Job)
		}
		if c.id != "" {
			if r := record(t, q, c.id); r.State != usher.Failed {
				t.Errorf("%s: record says %s", c.name, mustJSON(t, r))
			}
		}
	}
	if s := mustJSON(t, found); strings.Contains(strings.ReplaceAll(s, "-", ""), strings.ReplaceAll(canary, "-", "")) {
		t.Errorf("a raw id lies in the letters: %s", s)
	}
}

func TestInlineIDsAreSealed(t *testing.T) {
	t.Parallel()
	const raw = "6D92078A-8246-4BA4-AE5B-76104861E7DC"
	const digest = "f2d1311ca5c1ecb214c19a26e9ddbad0"
	b := newBroker(t)
	q := b.queue(t)
	lane := slot(t, q, queues.Audience)
	body := `{"id":"inline","segment":"1","profile":"idfa","source":{"ids":["` + raw + `","null"]}}`
	answer, err := q.Submit(t.Context(), usher.SegmentAdd, []byte(body))
	if err != nil || answer.ID != "inline" {
		t.Fatalf("submit answers %+v, %v", answer, err)
	}
	s, err := b.js.Stream(t.Context(), "USHER_JOBS")
	if err != nil {
		t.Fatal(err)
	}
	m, err := s.GetMsg(t.Context(), 1)
	if err != nil || strings.Contains(string(m.Data), raw) || !strings.Contains(string(m.Data), digest) {
		t.Fatalf("on the stream lies %s, %v", m.Data, err)
	}
	l := next(t, lane)
	w := l.Work()
	if w.Job.Input != usher.InputMD5 || len(w.Job.Source.IDs) != 1 || w.Dropped.Junk[usher.Placeholder] != 1 {
		t.Fatalf("work is %+v", w)
	}
	if err := l.End(failed(usher.NotFound)); err != nil {
		t.Fatal(err)
	}
	if s := mustJSON(t, record(t, q, "inline")); strings.Contains(s, digest) || !strings.Contains(s, `"ids":1`) {
		t.Errorf("record says %s", s)
	}
	if err := q.Replay(t.Context(), letters(t, q)[0].Seq); err != nil {
		t.Fatal(err)
	}
	if w := next(t, lane).Work(); len(w.Job.Source.IDs) != 1 || w.Dropped.Junk[usher.Placeholder] != 1 {
		t.Fatalf("the replay's work is %+v", w)
	}
}

func TestSubmitAnswersWhatIsWrong(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	q := b.queue(t)
	submit := func(body string) queues.Answer {
		t.Helper()
		answer, err := q.Submit(t.Context(), usher.SegmentAdd, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	if a := submit(`{"segment":7}`); len(a.Errors) == 0 || a.ID != "" {
		t.Errorf("an invalid job answers %+v", a)
	}
	if a := submit(addJob); a.ID != "j1" || a.Errors != nil {
		t.Errorf("a job answers %+v", a)
	}
	if a := submit(addJob); a.ID != "j1" || a.Errors != nil {
		t.Errorf("the same job again answers %+v", a)
	}
	if a := submit(strings.Replace(addJob, `"segment":"1"`, `"segment":"2"`, 1)); len(a.Errors) != 1 {
		t.Errorf("another job of the same id answers %+v", a)
	}
	if a := submit(strings.Replace(addJob, `"id":"j1",`, "", 1)); a.ID != "seq-2" {
		t.Errorf("a job without id answers %+v", a)
	}
	if r := record(t, q, "seq-2"); r.State != usher.Queued || r.Why == nil {
		t.Errorf("its record says %+v", r)
	}
	if n := b.pending(t, "USHER_JOBS"); n != 2 {
		t.Errorf("%d messages were published, not 2", n)
	}
}

// By plain publish a job whose ids are all junk is taken, and ends with what
// they were instead; submit says so at once.
func TestInlineIDsThatAreAllJunk(t *testing.T) {
	t.Parallel()
	const body = `{"id":"junk","segment":"1","profile":"idfa","source":{"ids":["null","0"]}}`
	b := newBroker(t)
	q := b.queue(t)
	answer, err := q.Submit(t.Context(), usher.SegmentAdd, []byte(body))
	if err != nil || len(answer.Errors) != 1 || !strings.Contains(answer.Errors[0].Message, "2 placeholder") {
		t.Fatalf("submit answers %+v, %v", answer, err)
	}
	b.publish(t, usher.SegmentAdd, body)
	w := next(t, slot(t, q, queues.Audience)).Work()
	if w.Job.Source.IDs == nil || len(w.Job.Source.IDs) != 0 || w.Dropped.Read != 2 {
		t.Fatalf("work is %+v", w)
	}
}

// Reads come from the leader: another replica may lag behind what was written.
func TestBucketsAreReadFromTheLeader(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	if err := queues.Declare(t.Context(), b.js, b.o); err != nil { // a second time, as a deploy does
		t.Fatal(err)
	}
	for _, name := range []string{"KV_usher_state", "KV_usher_rules"} {
		s, err := b.js.Stream(t.Context(), name)
		if err != nil || s.CachedInfo().Config.AllowDirect {
			t.Errorf("%s is read from any replica, %v", name, err)
		}
	}
}

// Letters that vanish while they are read (somebody replays them) do not keep
// the reader waiting.
func TestLettersThatVanish(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	q := b.queue(t)
	for range 3 {
		b.publish(t, usher.SegmentAdd, "no JSON")
	}
	none(t, slot(t, q, queues.Audience))
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	seen := 0
	err := q.EachLetter(ctx, queues.LetterFilter{}, func(usher.DeadLetter) error {
		if seen++; seen > 1 {
			return nil
		}
		_, err := q.Discard(ctx, queues.LetterFilter{Seqs: []uint64{2, 3}}, queues.Act{Actor: "test"})
		return err
	})
	if err != nil || seen < 1 {
		t.Errorf("%d letters were seen, %v", seen, err)
	}
}
