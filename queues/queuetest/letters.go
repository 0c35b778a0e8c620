package queuetest

import (
	"errors"
	"strings"
	"testing"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/letters"
)

// Letters returns all dead letters.
func Letters(t testing.TB, q *queues.Queue) []usher.DeadLetter {
	t.Helper()
	found, err := letters.New(q).List(t.Context(), letters.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// Replay replays a letter by force. A letter that was already replayed is no error.
func Replay(t testing.TB, q *queues.Queue, seq uint64) error {
	t.Helper()
	all := letters.New(q)
	if _, err := all.Get(t.Context(), seq); err != nil {
		return err
	}
	plan := letters.ReplayPlan{Survey: letters.Survey{Filter: letters.Filter{Seqs: []uint64{seq}}}}
	report, err := all.Replay(t.Context(), &plan, letters.ReplayOptions{Act: audit.Act{Actor: "test"}, Force: true})
	if err == nil && report.Left > 0 && !strings.Contains(report.Skipped[0].Why, "replayed already") {
		err = errors.New(report.Skipped[0].Why)
	}
	return err
}
