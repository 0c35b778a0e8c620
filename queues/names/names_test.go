package names_test

import (
	"testing"

	"usher"
	"usher/queues/names"
	"usher/queues/queuetest"
)

// TestLatestName checks that a reader who has read the names before a worker noted one can see it at once.
func TestLatestName(t *testing.T) {
	t.Parallel()
	q, stop := queuetest.Open()
	t.Cleanup(stop)
	s := q.Store()
	worker, reader := names.New(s), names.New(s)
	job := []byte(`{"segment":"4"}`)
	if name := reader.Known(t.Context()).OfJob(usher.SegmentAdd, job); name != "" {
		t.Fatalf("before anybody has noted it, segment 4 is %q", name)
	}
	if err := worker.Note(t.Context(), "A", true, map[string]names.Segment{"4": {Name: "iOS"}}); err != nil {
		t.Fatal(err)
	}
	if name := reader.Latest(t.Context()).OfJob(usher.SegmentAdd, job); name != "iOS" {
		t.Errorf("segment 4 is %q", name)
	}
}
