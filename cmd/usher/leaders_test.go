package main_test

import (
	"path/filepath"
	"testing"
	"time"

	"usher"
	"usher/queues/decisions"
	"usher/queues/presence"
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

// Workers that have other rule files than the one that keeps the schedule are known.
func TestWorkersWithDifferentRuleFiles(t *testing.T) {
	t.Parallel()
	d := newDeployment(t)
	for _, name := range []string{"one", "two"} {
		file := filepath.Join(t.TempDir(), "budgets.yaml")
		writeFile(t, file, "account: SANDBOX1\ntimezone: UTC\nrules:\n  - {name: "+name+", scope: {campaigns: [\"SANDBOX1-spring\"]}, window: yesterday, pause_when: clicks > 1}\n")
		d.worker(name, "USHER_RULES_FILES="+file)
	}
	eventually(t, "the difference is known", func() bool {
		workers, err := d.queue.Presence().Workers(t.Context())
		if err != nil {
			return false // none has started yet
		}
		found := presence.Differences(workers)
		return len(found) == 1 && found[0].Task == "rules" && len(found[0].Workers) == 1
	})
}
