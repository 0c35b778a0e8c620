package console_test

import (
	"encoding/json"
	"testing"

	"usher"
	"usher/internal/console"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

func TestTargetOfEachKind(t *testing.T) {
	t.Parallel()
	for kind, test := range map[usher.Kind]struct{ job, want string }{
		usher.SegmentMirror: {`{"segment":"17"}`, "segment 17"},
		usher.TargetAdd:     {`{"campaign":"SANDBOX1-x"}`, "target SANDBOX1-x"},
		usher.CampaignPause: {`{"campaign":"SANDBOX1-x"}`, "campaign SANDBOX1-x"},
		usher.RulesEvaluate: {`{"rules":"budgets"}`, "rules budgets"},
		usher.DeviceForget:  {`{"ids":["a"]}`, "all targets"},
	} {
		if got := console.TargetOf(&usher.Record{Kind: kind, Job: json.RawMessage(test.job)}); got != test.want {
			t.Errorf("%s of %s has the target %q, want %q", kind, test.job, got, test.want)
		}
	}
}

// The page of a job that was cut has the parts that workers took, with what each has read. That of any other
// job has none.
func TestPartsOfJob(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	v := newSite(t, func(o *console.Options) { o.Jobs = q.Status() }).loginAs("vera")
	wantParts := func(id, want string) {
		t.Helper()
		var page struct {
			Parts json.RawMessage `json:"parts"`
		}
		if w := v.request("GET", "/api/jobs/"+id, "", nil); json.Unmarshal(w.Body.Bytes(), &page) != nil || string(page.Parts) != want {
			t.Errorf("job %s: %d %s, want the parts %s", id, w.Code, w.Body, want)
		}
	}
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	plan := usher.Plan{Format: "text", Input: usher.InputRaw, Parts: []usher.Part{{From: 0, To: 10}, {From: 10, To: 20}}}
	if err := queuetest.NewSlot(t, q, lanes.Audience).Take(t).Split(plan, usher.Progress{}); err != nil {
		t.Fatal(err)
	}
	wantParts("j1", "[]")
	bulk := queuetest.NewSlot(t, q, lanes.Bulk)
	first, second := bulk.Take(t), bulk.Take(t)
	if err := first.End(queuetest.Done(7)); err != nil {
		t.Fatal(err)
	}
	wantParts("j1", `[{"number":0,"state":"done","read":7,"attempts":1},{"number":1,"state":"running","read":0,"attempts":1}]`)
	if err := second.End(queuetest.Done(3)); err != nil {
		t.Fatal(err)
	}
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("whole", "2"))
	wantParts("whole", "null")
	queuetest.NewSlot(t, q, lanes.Audience).TakeWork(t)
	wantParts("whole", "null")
}
