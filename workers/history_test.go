package workers_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"usher"
	"usher/internal/rtb"
	"usher/queues"
)

// word is a pause or resume of a campaign, as one of its creatives met it.
type word struct {
	order  int
	wanted string // "" reads the status
}

// heard is what became of a word.
type heard struct {
	superseded, changed bool
	status              string // that was read
}

// lastWord is a creative: the newest word that it has heard, and its status.
type lastWord struct {
	order  int
	status string
}

// newestWins is what a creative may do: words come in any order, an older one
// leaves it alone, and a newer one sets it.
func newestWins() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return lastWord{order: -1, status: rtb.Active} },
		Step: func(state, input, output any) (bool, any) {
			s, in, out := state.(lastWord), input.(word), output.(heard)
			switch {
			case in.wanted == "":
				return s.status == out.status, s
			case out.superseded:
				return in.order < s.order, s
			}
			return in.order > s.order && out.changed == (s.status != in.wanted), lastWord{in.order, in.wanted}
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v: %+v", input, output) },
	}
}

// Words of many jobs, four at once, answers late or lost: their history is one
// in which the newest word wins.
func TestHistoryOfWords(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	var held sync.Mutex
	p.worker.Lock = func(ctx context.Context, name string) (context.Context, func(), error) {
		if !held.TryLock() {
			return nil, nil, &usher.RetryAfter{After: 5 * time.Millisecond, Why: "lock " + name + " held"}
		}
		return ctx, held.Unlock, nil
	}
	for i := range p.worker.Lanes {
		p.worker.Lanes[i].Slots = 4
	}
	p.worker.Limits.FirstRetry = time.Millisecond
	p.fault("campaigns.set-status", "slow", map[string]any{"delayMs": 30, "after": 2, "times": 5})
	p.fault("campaigns.set-status", "reset_after", map[string]any{"after": 8, "times": 2})
	p.start()
	const words = 40
	asked := make([]time.Time, words)
	for i := range words {
		kind := usher.CampaignPause
		if i%2 == 1 {
			kind = usher.CampaignResume
		}
		asked[i] = time.Now()
		p.publish(kind, fmt.Sprintf(`{"id":"word-%02d","campaign":"SANDBOX1-spring"}`, i))
	}
	for i := range words {
		p.done(fmt.Sprintf("word-%02d", i))
	}
	if verdict := porcupine.CheckOperations(newestWins(), p.history(asked)); !verdict {
		t.Errorf("the newest word did not win: %+v", p.history(asked))
	}
}

// history is what became of words on creative spring-1, and its status at last.
func (p *plant) history(asked []time.Time) []porcupine.Operation {
	p.t.Helper()
	changed := map[string]int{}
	for _, a := range p.auditsOf("spring-1") {
		changed[a.Job]++
		if changed[a.Job] > 1 || a.Before == a.After {
			p.t.Errorf("audit %+v", a)
		}
	}
	var all []porcupine.Operation
	for i := range asked {
		id := fmt.Sprintf("word-%02d", i)
		r, err := p.queue.Record(p.t.Context(), id)
		if err != nil {
			p.t.Fatal(err)
		}
		out := heard{changed: changed[id] > 0}
		for _, w := range r.Warnings {
			out.superseded = out.superseded || w.Code == "superseded"
		}
		wanted := map[usher.Kind]string{usher.CampaignPause: rtb.Inactive, usher.CampaignResume: rtb.Active}[r.Kind]
		all = append(all, porcupine.Operation{
			ClientId: i, Input: word{i, wanted}, Output: out, Call: asked[i].UnixNano(), Return: time.Now().UnixNano(),
		})
	}
	read := time.Now().UnixNano()
	status := p.statuses("SANDBOX1-spring")["spring-1"]
	return append(all, porcupine.Operation{
		ClientId: len(asked), Input: word{}, Output: heard{status: status}, Call: read + 1, Return: time.Now().UnixNano() + 2,
	})
}

func (p *plant) auditsOf(creative string) []usher.Audit {
	p.t.Helper()
	var all []usher.Audit
	err := p.queue.Audits(p.t.Context(), queues.AuditFilter{Creative: creative}, func(a usher.Audit) error { all = append(all, a); return nil })
	if err != nil {
		p.t.Fatal(err)
	}
	return all
}
