package store_test

import (
	"errors"
	"testing"

	"usher/queues/queuetest"
	"usher/queues/store"
)

// Only the revision that was read is deleted: somebody who has written since has the last word.
func TestCompareAndDelete(t *testing.T) {
	t.Parallel()
	bucket := queuetest.New(t).Queue(t).Store().Rules
	first, err := bucket.CompareAndSet(t.Context(), "visits", 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	second, err := bucket.CompareAndSet(t.Context(), "visits", 2, first)
	if err != nil {
		t.Fatal(err)
	}
	if err := bucket.CompareAndDelete(t.Context(), "visits", first); !errors.Is(err, store.ErrConflict) {
		t.Errorf("deleting what was replaced: %v", err)
	}
	if err := bucket.CompareAndDelete(t.Context(), "visits", second); err != nil {
		t.Fatal(err)
	}
	if err := bucket.CompareAndDelete(t.Context(), "visits", second); !errors.Is(err, store.ErrConflict) {
		t.Errorf("deleting it once more: %v", err)
	}
	if e, err := bucket.Find(t.Context(), "visits"); e != nil || err != nil {
		t.Errorf("it is %v, %v", e, err)
	}
}
