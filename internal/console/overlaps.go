package console

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"usher"
	"usher/internal/ledger"
)

// withheldRow is what the last mirror of an audience has left out.
type withheldRow struct {
	Except  []exceptedRow `json:"except"`
	Holdout *holdoutRow   `json:"holdout"` // null: there was none
}

// exceptedRow is an audience whose members were left out, as of a generation.
type exceptedRow struct {
	Target     string    `json:"target"`
	Name       string    `json:"name"` // "": not known
	Generation int64     `json:"generation"`
	At         time.Time `json:"at"`
	Count      int64     `json:"count"`
}

// holdoutRow is a share of the ids that was kept out.
type holdoutRow struct {
	usher.Holdout
	Count int64 `json:"count"`
}

// withheld returns what a generation has left out, or nil.
func (c *Console) withheld(ctx context.Context, g *ledger.Generation) *withheldRow {
	w := g.Withheld
	if w == nil || len(w.Except) == 0 && w.Holdout == nil {
		return nil
	}
	row := &withheldRow{Except: []exceptedRow{}}
	for _, e := range w.Except {
		t := ledger.Target{Advertiser: g.Advertiser, Name: e.Target}
		segment, _ := c.segmentOf(ctx, t)
		row.Except = append(row.Except, exceptedRow{c.audienceOfLedger(t), segment.Name, e.Generation, e.At, e.Count})
	}
	if w.Holdout != nil {
		row.Holdout = &holdoutRow{*w.Holdout, ledger.Digests(w.HeldOut)}
	}
	return row
}

// overlapRow says how many members audiences have in common.
type overlapRow struct {
	Audiences []overlapAudience `json:"audiences"`
	Both      [][]int64         `json:"both"` // members of two audiences; on the diagonal, of one
	Union     int64             `json:"union"`
	All       int64             `json:"all"`
}

// overlapAudience is an audience of an overlap.
type overlapAudience struct {
	Target     string    `json:"target"`
	Name       string    `json:"name"` // "": not known
	Members    int64     `json:"members"`
	Only       int64     `json:"only"` // that are in no other one
	Uncertain  int64     `json:"uncertain"`
	Lapsed     int64     `json:"lapsed"`
	Generation int64     `json:"generation"`
	At         time.Time `json:"at"`
}

// overlapTime limits how long an overlap is counted.
const overlapTime = 5 * time.Minute

// overlap counts what audiences have in common. It reads whole ledgers, so that only one is counted
// at a time.
func (c *Console) overlap(w http.ResponseWriter, req *http.Request, _ User) error {
	names := req.URL.Query()["target"]
	if len(names) < 2 || len(names) > ledger.MaxOverlap || len(slices.Compact(slices.Sorted(slices.Values(names)))) < len(names) {
		return refuse(http.StatusBadRequest, "choose 2 to %d different audiences", ledger.MaxOverlap)
	}
	if !c.options.Ledger.HasFiles() {
		return refuse(http.StatusConflict, "this worker has no ledger: set ledger.url")
	}
	ctx, cancel := context.WithTimeout(req.Context(), overlapTime)
	defer cancel()
	select {
	case c.counting <- struct{}{}:
		defer func() { <-c.counting }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	targets := make([]ledger.Target, len(names))
	for i, name := range names {
		targets[i] = c.ledgerTarget(name)
	}
	found, err := c.options.Ledger.Overlap(ctx, targets)
	var permanent *usher.Permanent
	if errors.As(ledger.JobError(err), &permanent) {
		return refuse(http.StatusConflict, "%v; %s", err, permanent.Hint)
	}
	if err != nil {
		return err
	}
	row := overlapRow{Union: found.Union(), All: found.All()}
	for i := range found.Targets {
		t := &found.Targets[i]
		segment, _ := c.segmentOf(ctx, t.Target)
		row.Audiences = append(row.Audiences, overlapAudience{names[i], segment.Name, found.Members(i), found.Only(i), t.Uncertain, t.Lapsed, t.Generation, t.At})
		both := make([]int64, len(names))
		for j := range both {
			both[j] = found.Both(i, j)
		}
		row.Both = append(row.Both, both)
	}
	return writeJSON(w, http.StatusOK, row)
}
