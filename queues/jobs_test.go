package queues_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/lanes"
	"usher/queues/letters"
	"usher/queues/queuetest"
	"usher/queues/status"
)

func TestJobIsTakenAndEnds(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	l := lane.Take(t)
	w := l.Work()
	if w.ID != "j1" || w.Run != 1 || w.Kind != usher.SegmentAdd || w.Attempts != 1 || w.Job.Segment != "1" || w.Order != 1 {
		t.Fatalf("work is %+v", w)
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Running || r.Started == nil {
		t.Fatalf("record says %+v", r)
	}
	if err := l.End(queuetest.Done(7)); err != nil {
		t.Fatal(err)
	}
	r := queuetest.Record(t, q, "j1")
	if r.State != usher.Done || r.Tally.Accepted != 7 || r.Finished == nil || r.Parts != (usher.PartCount{Total: 1, Done: 1}) {
		t.Fatalf("record says %+v", r)
	}
	if n := b.Pending(t, "USHER_JOBS"); n != 0 {
		t.Fatalf("%d messages are left on the stream", n)
	}
}

func TestSecondMessageOfAnID(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	if err := lane.Take(t).End(queuetest.Done(1)); err != nil {
		t.Fatal(err)
	}
	b.Publish(t, usher.SegmentAdd, strings.ReplaceAll(queuetest.AddJob, `,`, ` , `)) // the same job, formatted differently
	lane.None(t)
	if found := queuetest.Letters(t, q); len(found) != 0 {
		t.Fatalf("the same job again made letters: %+v", found)
	}
	b.Publish(t, usher.SegmentAdd, strings.Replace(queuetest.AddJob, `"segment":"1"`, `"segment":"2"`, 1))
	lane.None(t)
	found := queuetest.Letters(t, q)
	if len(found) != 1 || found[0].Class != usher.InvalidJob || *found[0].ID != "j1" {
		t.Fatalf("another job of the same id made letters: %+v", found)
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Done {
		t.Fatalf("the record of the first job was touched: %+v", r)
	}
	plan, err := letters.New(q).PlanReplay(t.Context(), letters.Filter{}, letters.ReplayOptions{Force: true})
	if err != nil || plan.Count != 0 || plan.LeftOut.Count != 1 {
		t.Fatalf("its replay is not objected to: %+v %v", plan, err)
	}
}

func TestIDs(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	body := strings.Replace(queuetest.AddJob, `"id":"j1",`, "", 1)
	b.Publish(t, usher.SegmentAdd, body, "ce-id", "from-event", "Nats-Msg-Id", "from-message")
	b.Publish(t, usher.SegmentAdd, body, "Nats-Msg-Id", "from-message-2")
	b.Publish(t, usher.SegmentAdd, body)
	for _, want := range []string{"from-event", "from-message-2", "seq-3"} {
		l := lane.Take(t)
		if l.Work().ID != want {
			t.Errorf("id is %s, not %s", l.Work().ID, want)
		}
		if err := l.End(queuetest.Done(1)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRetryCountsAttempts(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	steps := []struct {
		counts       bool
		attemptsNext int
	}{{false, 1}, {true, 2}, {false, 2}, {true, 3}}
	l := lane.Take(t)
	for _, step := range steps {
		if err := l.Retry(usher.Progress{}, time.Millisecond, "because", step.counts); err != nil {
			t.Fatal(err)
		}
		l = lane.Take(t)
		if w := l.Work(); w.Attempts != step.attemptsNext || w.Crashes != 0 {
			t.Fatalf("after counts=%t: %d attempts, %d crashes", step.counts, w.Attempts, w.Crashes)
		}
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Running || r.Why != nil || r.Retry != nil {
		t.Errorf("tried again, the record is %s", queuetest.JSON(t, r))
	}
	if err := l.Retry(usher.Progress{}, time.Hour, "waits for spring", false); err != nil {
		t.Fatal(err)
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Retrying || r.Why == nil || *r.Why != "waits for spring" || r.Retry != nil {
		t.Errorf("given back, the record is %s", queuetest.JSON(t, r))
	}
}

func TestFailedJobAndReplay(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	l := lane.Take(t)
	end := queuetest.Failed(usher.NotFound)
	end.Progress.Checkpoint = usher.Checkpoint{Batches: 3, Rows: 30, Tally: usher.Tally{Read: 30, Accepted: 30}}
	if err := l.End(end); err != nil {
		t.Fatal(err)
	}
	found := queuetest.Letters(t, q)
	if len(found) != 1 || *found[0].ID != "j1" || found[0].Class != usher.NotFound || found[0].Target != "segment 1" || found[0].Attempts != 1 {
		t.Fatalf("letters: %+v", found)
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Failed || r.Error == nil || r.Error.Hint != "repair it" {
		t.Fatalf("record says %+v", r)
	}
	if err := queuetest.Replay(t, q, found[0].Seq); err != nil {
		t.Fatal(err)
	}
	if err := queuetest.Replay(t, q, found[0].Seq); !errors.Is(err, letters.ErrNoLetter) {
		t.Fatalf("a second replay says %v", err)
	}
	l = lane.Take(t)
	w := l.Work()
	if w.Run != 2 || w.Order != 1 || w.Attempts != 1 || w.Progress.Checkpoint.Batches != 3 {
		t.Fatalf("the replay's work is %+v", w)
	}
	if err := l.End(queuetest.Done(40)); err != nil {
		t.Fatal(err)
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Done || r.Run != 2 || r.Error != nil {
		t.Fatalf("record says %+v", r)
	}
	if found := queuetest.Letters(t, q); len(found) != 0 {
		t.Fatalf("letters are left: %+v", found)
	}
	lane.None(t)
}

func TestInvalidMessages(t *testing.T) {
	t.Parallel()
	const canary = "6D92078A-8246-4BA4-AE5B-76104861E7DC"
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
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
		b.Publish(t, usher.Kind(c.kind), c.body)
	}
	found := queuetest.Letters(t, q)
	lane.NoneUntil(t, func() bool {
		found = queuetest.Letters(t, q)
		return len(found) >= len(cases)
	})
	if len(found) != len(cases) {
		t.Fatalf("%d letters, not %d: %s", len(found), len(cases), queuetest.JSON(t, found))
	}
	for i, c := range cases {
		l := found[i]
		if l.Class != usher.InvalidJob || (l.ID == nil) != (c.id == "") || l.ID != nil && *l.ID != c.id {
			t.Errorf("%s: letter is %s", c.name, queuetest.JSON(t, l))
		}
		if (l.Job == nil) != (c.id == "") {
			t.Errorf("%s: letter's job is %s", c.name, l.Job)
		}
		if c.name == "ids that are no strings" && !strings.Contains(string(l.Job), `"ids":2`) {
			t.Errorf("%s: letter's job is %s", c.name, l.Job)
		}
		if c.id != "" {
			if r := queuetest.Record(t, q, c.id); r.State != usher.Failed {
				t.Errorf("%s: record says %s", c.name, queuetest.JSON(t, r))
			}
		}
	}
	if s := queuetest.JSON(t, found); strings.Contains(strings.ReplaceAll(s, "-", ""), strings.ReplaceAll(canary, "-", "")) {
		t.Errorf("a raw id lies in the letters: %s", s)
	}
}

// Inline ids are refused if most of them are UUIDs that no phone has, as an export of them is.
func TestVersionsOfInlineIDs(t *testing.T) {
	t.Parallel()
	const four, one, seven = "6D92078A-8246-4BA4-AE5B-76104861E7DC", "550E8400-E29B-11D4-A716-446655440001", "01890A5D-AC96-774B-BCCE-B302099A8057"
	q := queuetest.New(t).Queue(t)
	for i, c := range []struct {
		ids    []string
		kind   usher.Kind
		more   string
		refuse bool
	}{
		{[]string{four}, usher.SegmentAdd, "", false},
		{[]string{one}, usher.SegmentAdd, "", false},
		{[]string{four, one}, usher.SegmentAdd, "", false},
		{[]string{four, one, "{" + seven + "}"}, usher.SegmentAdd, "", true},
		{[]string{one, seven}, usher.SegmentAdd, `,"anyVersion":true`, false},
		{[]string{one, seven}, usher.SegmentRemove, "", false},
	} {
		body := fmt.Sprintf(`{"id":"v%d","segment":"1","profile":"idfa","source":{"ids":["%s"]%s}}`, i, strings.Join(c.ids, `","`), c.more)
		answer, err := q.Submit(t.Context(), c.kind, []byte(body))
		if err != nil || c.refuse != (len(answer.Errors) > 0) {
			t.Errorf("%s: %+v, %v", body, answer, err)
		}
		if c.refuse && (!strings.Contains(answer.Errors[0].Message, "2 of 3 are no UUIDs of version 4") || !strings.Contains(answer.Errors[0].Message, "source.anyVersion")) {
			t.Errorf("%s: %q", body, answer.Errors[0].Message)
		}
	}
}

func TestInlineIDsAreSealed(t *testing.T) {
	t.Parallel()
	const raw = "6D92078A-8246-4BA4-AE5B-76104861E7DC"
	const digest = "f2d1311ca5c1ecb214c19a26e9ddbad0"
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	body := `{"id":"inline","segment":"1","profile":"idfa","source":{"ids":["` + raw + `","null"]}}`
	answer, err := q.Submit(t.Context(), usher.SegmentAdd, []byte(body))
	if err != nil || answer.ID != "inline" {
		t.Fatalf("submit answers %+v, %v", answer, err)
	}
	s, err := b.JS.Stream(t.Context(), "USHER_JOBS")
	if err != nil {
		t.Fatal(err)
	}
	m, err := s.GetMsg(t.Context(), 1)
	if err != nil || strings.Contains(string(m.Data), raw) || !strings.Contains(string(m.Data), digest) {
		t.Fatalf("on the stream lies %s, %v", m.Data, err)
	}
	l := lane.Take(t)
	w := l.Work()
	if w.Job.Input != usher.InputMD5 || len(w.Job.Source.IDs) != 1 || w.Dropped.Junk[usher.Placeholder] != 1 {
		t.Fatalf("work is %+v", w)
	}
	if err := l.End(queuetest.Failed(usher.NotFound)); err != nil {
		t.Fatal(err)
	}
	if s := queuetest.JSON(t, queuetest.Record(t, q, "inline")); strings.Contains(s, digest) || !strings.Contains(s, `"ids":1`) {
		t.Errorf("record says %s", s)
	}
	if err := queuetest.Replay(t, q, queuetest.Letters(t, q)[0].Seq); err != nil {
		t.Fatal(err)
	}
	if w := lane.Take(t).Work(); len(w.Job.Source.IDs) != 1 || w.Dropped.Junk[usher.Placeholder] != 1 {
		t.Fatalf("the replay's work is %+v", w)
	}
}

func TestSubmitAnswersWhatIsWrong(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
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
	if a := submit(queuetest.AddJob); a.ID != "j1" || a.Errors != nil {
		t.Errorf("a job answers %+v", a)
	}
	if a := submit(queuetest.AddJob); a.ID != "j1" || a.Errors != nil {
		t.Errorf("the same job again answers %+v", a)
	}
	if a := submit(strings.Replace(queuetest.AddJob, `"segment":"1"`, `"segment":"2"`, 1)); len(a.Errors) != 1 {
		t.Errorf("another job of the same id answers %+v", a)
	}
	if a := submit(strings.Replace(queuetest.AddJob, `"id":"j1",`, "", 1)); a.ID != "seq-2" {
		t.Errorf("a job without id answers %+v", a)
	}
	if r := queuetest.Record(t, q, "seq-2"); r.State != usher.Queued || r.Why == nil || !strings.Contains(string(r.Job), `"id":"seq-2"`) {
		t.Errorf("its record says %+v, and its job is %s", r, r.Job)
	}
	if n := b.Pending(t, "USHER_JOBS"); n != 2 {
		t.Errorf("%d messages were published, not 2", n)
	}
}

// A published job whose ids are all junk is taken, and its tally counts them. Submit
// rejects it at once.
func TestInlineIDsThatAreAllJunk(t *testing.T) {
	t.Parallel()
	const body = `{"id":"junk","segment":"1","profile":"idfa","source":{"ids":["null","0"]}}`
	b := queuetest.New(t)
	q := b.Queue(t)
	answer, err := q.Submit(t.Context(), usher.SegmentAdd, []byte(body))
	if err != nil || len(answer.Errors) != 1 || !strings.Contains(answer.Errors[0].Message, "2 placeholder") {
		t.Fatalf("submit answers %+v, %v", answer, err)
	}
	b.Publish(t, usher.SegmentAdd, body)
	w := queuetest.NewSlot(t, q, lanes.Audience).Take(t).Work()
	if w.Job.Source.IDs == nil || len(w.Job.Source.IDs) != 0 || w.Dropped.Read != 2 {
		t.Fatalf("work is %+v", w)
	}
}

// Reads come from the leader, because other replicas may be behind.
func TestReadsGoToTheLeader(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	b.Configure(t, "USHER_DEAD", func(c *jetstream.StreamConfig) { c.AllowDirect = true })
	for _, f := range queues.Check(t.Context(), b.JS, b.Options, time.Minute, time.Minute) {
		if f.OK == (f.What == "stream USHER_DEAD") {
			t.Errorf("the check says %+v", f)
		}
	}
	if err := queues.Declare(t.Context(), b.JS, b.Options); err != nil { // a second time, as a deploy does
		t.Fatal(err)
	}
	// Any replica serves many messages of USHER_JOBS; see targets.TestIndexBesideLaggingReplica.
	for _, name := range []string{"KV_usher_state", "KV_usher_rules", "USHER_PARTS", "USHER_DEAD", "USHER_EVENTS"} {
		s, err := b.JS.Stream(t.Context(), name)
		if err != nil || s.CachedInfo().Config.AllowDirect {
			t.Errorf("%s is read from any replica, %v", name, err)
		}
	}
}

// A reader does not wait for letters that are deleted while it reads, as a replay does.
func TestLettersThatVanish(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	for range 3 {
		b.Publish(t, usher.SegmentAdd, "no JSON")
	}
	queuetest.NewSlot(t, q, lanes.Audience).None(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	seen := 0
	err := letters.New(q).Each(ctx, letters.Filter{}, func(usher.DeadLetter) error {
		if seen++; seen > 1 {
			return nil
		}
		_, err := letters.New(q).Discard(ctx, letters.Filter{Seqs: []uint64{2, 3}}, audit.Act{Actor: "test"})
		return err
	})
	if err != nil || seen < 1 {
		t.Errorf("%d letters were seen, %v", seen, err)
	}
}

// A filter with a cursor returns the next jobs in the order of the list, whatever was published since.
func TestPagesOfJobs(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	for i := range 7 {
		b.Publish(t, usher.SegmentAdd, queuetest.JobOn(fmt.Sprintf("j%d", i), "1"))
	}
	var seen []string
	f := status.Filter{Limit: 2, Match: func(r *usher.Record) bool { return r.ID != "j3" }}
	for {
		page, err := q.Status().Records(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for i := range page {
			seen = append(seen, page[i].ID)
		}
		f.After = new(status.CursorOf(&page[len(page)-1]))
		b.Publish(t, usher.SegmentAdd, queuetest.JobOn(fmt.Sprintf("new%d", len(seen)), "1"))
	}
	if got := strings.Join(seen, " "); got != "j6 j5 j4 j2 j1 j0" {
		t.Errorf("the pages are %s", got)
	}
}
