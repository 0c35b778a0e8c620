package console

import (
	"context"
	"net/http"
	"strconv"

	"usher"
	"usher/queues/letters"
)

func letterFilter(req *http.Request) (letters.Filter, error) {
	q := req.URL.Query()
	f := letters.Filter{ID: q.Get("id"), Kind: usher.Kind(q.Get("kind")), Class: usher.Class(q.Get("class")), Group: q.Get("group"), Match: q.Get("match")}
	for _, word := range list(q.Get("seqs")) {
		seq, err := strconv.ParseUint(word, 10, 64)
		if err != nil {
			return f, refuse(http.StatusBadRequest, "seqs are letters' numbers")
		}
		f.Seqs = append(f.Seqs, seq)
	}
	var err error
	if f.Since, err = timeOf(req, "since"); err != nil {
		return f, err
	}
	f.Until, err = timeOf(req, "until")
	return f, err
}

// letterList is a page of letters, oldest first.
type letterList struct {
	Letters []usher.DeadLetter `json:"letters"`
	More    bool               `json:"more"` // further letters match
}

func (c *Console) letters(ctx context.Context, req *http.Request, _ User) (any, error) {
	f, err := letterFilter(req)
	if err != nil {
		return nil, err
	}
	_, limit, err := pageOf(req)
	if err != nil {
		return nil, err
	}
	f.After, _ = strconv.ParseUint(req.URL.Query().Get("after"), 10, 64) // 0: the first page
	f.Limit = limit + 1
	found, err := c.Letters.List(ctx, f)
	if err != nil {
		return nil, err
	}
	shown := found[:min(len(found), limit)]
	return letterList{Letters: append([]usher.DeadLetter{}, shown...), More: len(found) > limit}, nil
}

func (c *Console) groups(ctx context.Context, req *http.Request, _ User) (any, error) {
	f, err := letterFilter(req)
	if err != nil {
		return nil, err
	}
	groups, err := c.Letters.Groups(ctx, f)
	return map[string][]usher.LetterGroup{"groups": append([]usher.LetterGroup{}, groups...)}, err
}

// replayPlan is what a replay would do.
type replayPlan struct {
	Count   int                 `json:"count"`
	Groups  []usher.LetterGroup `json:"groups"`
	Sample  []usher.DeadLetter  `json:"sample"`
	Skipped int                 `json:"skipped"`
	Left    []letters.Skip      `json:"left"`    // the first skipped letters
	Seconds float64             `json:"seconds"` // that the jobs take at least under the platform's limit
	Through uint64              `json:"through"` // the newest letter that the plan covers
}

// skipsShown is how many skipped letters a page shows.
const skipsShown = 10

func firstSkips(skips []letters.Skip) []letters.Skip {
	return append([]letters.Skip{}, skips[:min(len(skips), skipsShown)]...)
}

func (c *Console) plan(ctx context.Context, req *http.Request, _ User) (any, error) {
	f, err := letterFilter(req)
	if err != nil {
		return nil, err
	}
	plan, err := c.Letters.PlanReplay(ctx, f, req.URL.Query().Get("force") == "true")
	if err != nil {
		return nil, err
	}
	return replayPlan{
		Count: plan.Count, Groups: plan.Groups, Sample: plan.Sample,
		Skipped: plan.LeftOut.Count, Left: firstSkips(plan.LeftOut.Letters),
		Seconds: letters.CallsPerJob * float64(plan.Count) / c.Platform().Configured, Through: plan.Filter.Through,
	}, nil
}

func (c *Console) replay(_ context.Context, req *http.Request, user User) (any, error) {
	in, err := body[replayOrder](req)
	if err != nil {
		return nil, err
	}
	if in.Rate < 0 || in.Rate > 1e6 {
		return nil, refuse(http.StatusUnprocessableEntity, "the pace is a number of jobs a second, or nothing")
	}
	in.by = user
	return c.replaying.start(in)
}

func (c *Console) replays(context.Context, *http.Request, User) (any, error) {
	return map[string][]replayState{"replays": c.replaying.list()}, nil
}

func (c *Console) stopReplay(_ context.Context, req *http.Request, _ User) (any, error) {
	return struct{}{}, c.replaying.stop(req.PathValue("id"))
}
