package main_test

import (
	"testing"
	"time"

	"usher"
	"usher/queues/decisions"
)

// A worker deletes evaluations that are older than records of jobs, also if no worker has rule
// files any more.
func TestOldEvaluationsAreForgottenWithoutRuleFiles(t *testing.T) {
	t.Parallel()
	d := newDeployment(t)
	stored := decisions.New(d.queue, nil)
	for id, age := range map[string]time.Duration{"new": time.Hour, "old": 101 * 24 * time.Hour} {
		e := usher.Evaluation{ID: id, File: "budgets", Account: "SANDBOX1", At: time.Now().Add(-age).UTC(), State: usher.EvaluationDone}
		if _, err := stored.StoreAndEnact(t.Context(), e, nil); err != nil {
			t.Fatal(err)
		}
	}
	d.worker("without-rules")
	eventually(t, "only the new evaluation is left", func() bool {
		left, err := stored.Evaluations(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		return len(left) == 1 && left[0].ID == "new"
	})
}
