package console

import (
	"context"
	"net/http"
	"strconv"

	"usher"
	"usher/queues/letters"
)

// letterFilter reads the filter in the query of a request.
func letterFilter(req *http.Request) (letters.Filter, error) {
	q := req.URL.Query()
	f := letters.Filter{ID: q.Get("id"), Kind: usher.Kind(q.Get("kind")), Class: usher.Class(q.Get("class")), Group: q.Get("group"), Match: q.Get("match"), Replay: q.Get("replay")}
	for _, word := range splitList(q.Get("seqs")) {
		seq, err := strconv.ParseUint(word, 10, 64)
		if err != nil {
			return f, refuse(http.StatusBadRequest, "seqs must be numbers of letters, separated by commas")
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
	limit, err := limitOf(req)
	if err != nil {
		return nil, err
	}
	if text := req.URL.Query().Get("after"); text != "" {
		if f.After, err = strconv.ParseUint(text, 10, 64); err != nil {
			return nil, refuse(http.StatusBadRequest, "after must be the number of a letter")
		}
	}
	f.Limit = limit + 1 // one more shows whether further letters match
	found, err := c.options.Letters.List(ctx, f)
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
	groups, err := c.options.Letters.Groups(ctx, f)
	return map[string][]usher.LetterGroup{"groups": append([]usher.LetterGroup{}, groups...)}, err
}

// replayPlan describes what a replay would do.
type replayPlan struct {
	Count   int                 `json:"count"`
	Groups  []usher.LetterGroup `json:"groups"`
	Sample  []usher.DeadLetter  `json:"sample"`
	Skipped int                 `json:"skipped"`
	Left    []letters.Skip      `json:"left"`    // the first skipped letters
	Seconds float64             `json:"seconds"` // the minimum duration of the jobs under the rate limit
	Through uint64              `json:"through"` // the newest letter that the plan covers
}

// maxSkips is the maximum number of skipped letters on a page.
const maxSkips = 10

func firstSkips(skips []letters.Skip) []letters.Skip {
	return append([]letters.Skip{}, skips[:min(len(skips), maxSkips)]...)
}

func (c *Console) plan(ctx context.Context, req *http.Request, _ User) (any, error) {
	f, err := letterFilter(req)
	if err != nil {
		return nil, err
	}
	plan, err := c.options.Letters.PlanReplay(ctx, f, req.URL.Query().Get("force") == "true")
	if err != nil {
		return nil, err
	}
	return replayPlan{
		Count: plan.Count, Groups: plan.Groups, Sample: plan.Sample,
		Skipped: plan.LeftOut.Count, Left: firstSkips(plan.LeftOut.Letters),
		Seconds: c.secondsOf(plan.Count), Through: plan.Filter.Through,
	}, nil
}

// secondsOf returns how long a number of jobs takes at least.
func (c *Console) secondsOf(jobs int) float64 {
	return letters.CallsPerJob * float64(jobs) / c.options.Platform().Configured
}

func (c *Console) replay(_ context.Context, req *http.Request, user User) (any, error) {
	in, err := body[replayOrder](req)
	if err != nil {
		return nil, err
	}
	if in.Rate < 0 || in.Rate > 1e6 {
		return nil, refuse(http.StatusUnprocessableEntity, "the pace must be a number of jobs a second, or empty")
	}
	if len(in.Set) > 0 {
		if err := requireReason(in.Reason); err != nil {
			return nil, err
		}
	}
	in.by = user
	return c.replays.start(in)
}

func (c *Console) listReplays(context.Context, *http.Request, User) (any, error) {
	return map[string][]replayState{"replays": c.replays.list()}, nil
}

func (c *Console) stopReplay(_ context.Context, req *http.Request, _ User) (any, error) {
	return struct{}{}, c.replays.stop(req.PathValue("id"))
}
