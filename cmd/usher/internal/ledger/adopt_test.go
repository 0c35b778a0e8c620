package ledger_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"usher"
	command "usher/cmd/usher/internal/ledger"
	"usher/internal/ledger"
	"usher/queues"
	"usher/queues/heads"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

// answer is an input that says yes to a question, after somebody has done something else meanwhile.
type answer struct {
	meanwhile func()
	answered  bool
}

func (a *answer) Read(p []byte) (int, error) {
	if a.answered {
		return 0, io.EOF
	}
	a.answered = true
	a.meanwhile()
	return copy(p, "yes\n"), nil
}

// adopt and drop forget what jobs have noted in the ledger. So they refuse if anything has changed the target, or its
// ledger, between the plan and the answer: reading the export and waiting for a person may take hours.
func TestChangesBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	target := ledger.Target{Advertiser: "SANDBOX1", Name: "campaign/C-1"}
	publish := func(t *testing.T, b *queuetest.Broker, id, campaign, more string) {
		t.Helper()
		b.Publish(t, usher.TargetAdd, `{"id":"`+id+`","campaign":"`+campaign+`","profile":"idfa","source":{"url":"file:///data/x.csv"}`+more+`}`)
	}
	run := func(t *testing.T, b *queuetest.Broker, q *queues.Queue, id, campaign, more string) {
		t.Helper()
		publish(t, b, id, campaign, more)
		if err := queuetest.NewSlot(t, q, lanes.Audience).Take(t).End(queuetest.Done(1)); err != nil {
			t.Error(err)
		}
	}
	for name, c := range map[string]struct {
		noLedger  bool
		meanwhile func(*testing.T, *queuetest.Broker, *queues.Queue)
		refused   string // part of the error; "": it is done
	}{
		"nothing":                 {false, func(*testing.T, *queuetest.Broker, *queues.Queue) {}, ""},
		"a job on another target": {false, func(t *testing.T, b *queuetest.Broker, q *queues.Queue) { run(t, b, q, "new", "C-2", "") }, ""},
		"a dry run":               {false, func(t *testing.T, b *queuetest.Broker, q *queues.Queue) { run(t, b, q, "new", "C-1", `,"dryRun":true`) }, ""},
		"a job that has ended":    {false, func(t *testing.T, b *queuetest.Broker, q *queues.Queue) { run(t, b, q, "new", "C-1", "") }, "campaign/C-1 was changed meanwhile by job new: run the command again"},
		"a job and no ledger":     {true, func(t *testing.T, b *queuetest.Broker, q *queues.Queue) { run(t, b, q, "new", "C-1", "") }, "campaign/C-1 was changed meanwhile by job new: run the command again"},
		"a job that waits":        {false, func(t *testing.T, b *queuetest.Broker, _ *queues.Queue) { publish(t, b, "new", "C-1", "") }, "job new is queued on campaign/C-1"},
		"another command": {false, func(t *testing.T, _ *queuetest.Broker, q *queues.Queue) {
			head, revision, err := heads.In(q.Store()).Head(t.Context(), target)
			head.Epoch++
			if err == nil {
				_, err = heads.In(q.Store()).SetHead(t.Context(), head, revision)
			}
			if err != nil {
				t.Error(err)
			}
		}, "campaign/C-1 was changed meanwhile by another command or job: run the command again"},
	} {
		for _, act := range []string{"adopt", "drop"} {
			if act == "drop" && c.noLedger {
				continue
			}
			t.Run(act+" "+name, func(t *testing.T) {
				t.Parallel()
				b := queuetest.New(t)
				q := b.Queue(t)
				run(t, b, q, "old", "C-1", "")
				h := heads.In(q.Store())
				if err := h.Announce(t.Context(), t.TempDir()); err != nil {
					t.Fatal(err)
				}
				if !c.noLedger {
					if _, err := h.SetHead(t.Context(), ledger.Head{V: 1, Target: target}, 0); err != nil {
						t.Fatal(err)
					}
				}
				args := []string{act, target.Name, "--nats", b.Conn.ConnectedUrl()}
				if act == "adopt" {
					file := filepath.Join(t.TempDir(), "all.txt")
					if err := os.WriteFile(file, []byte("6D92078A-8246-4BA4-AE5B-76104861E7DC\n"), 0o600); err != nil {
						t.Fatal(err)
					}
					args = append(args, file, "--profile", "idfa")
				}
				var out bytes.Buffer
				cmd := command.Command()
				cmd.SetArgs(args)
				cmd.SetIn(&answer{meanwhile: func() { c.meanwhile(t, b, q) }})
				cmd.SetOut(&out)
				cmd.SetErr(&out)
				err := cmd.ExecuteContext(t.Context())
				if c.refused == "" && err != nil || c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)) {
					t.Errorf("%s says %v, want %q\n%s", act, err, c.refused, &out)
				}
				head, _, err := h.Head(t.Context(), target)
				if changed := errors.Is(err, ledger.ErrNone) != c.noLedger || head.Generation > 0; changed != (c.refused == "") {
					t.Errorf("after %s, the head is %+v, %v", act, head, err)
				}
			})
		}
	}
}
