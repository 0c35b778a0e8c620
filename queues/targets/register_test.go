package targets_test

import (
	"context"
	"errors"
	"testing"

	"usher"
	"usher/queues/message"
	"usher/queues/queuetest"
	"usher/queues/records"
)

// A register that cannot be read says nothing about whose turn it is. It is not taken for an empty one.
func TestUnreadRegister(t *testing.T) {
	t.Parallel()
	q := queuetest.New(t).Queue(t)
	job := &records.Job{Execution: records.Execution{Progress: usher.Progress{Phase: usher.PhaseRead}}}
	mirror := &message.Message{ID: "a", Kind: usher.SegmentMirror, Job: usher.Job{Segment: "1"}}
	if keeps, err := q.Targets().KeepsTurn(t.Context(), job, mirror); keeps || err != nil {
		t.Errorf("an empty register: %t, %v", keeps, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := q.Targets().KeepsTurn(ctx, job, mirror); !errors.Is(err, context.Canceled) {
		t.Errorf("a register that was not read: %v", err)
	}
}
