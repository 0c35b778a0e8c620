package console

import (
	"context"
	"net/http"
	"strconv"

	"usher"
)

func letterFilter(req *http.Request) (LetterFilter, error) {
	q := req.URL.Query()
	f := LetterFilter{ID: q.Get("id"), Kind: usher.Kind(q.Get("kind")), Class: usher.Class(q.Get("class")), Group: q.Get("group"), Match: q.Get("match")}
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
	More    bool               `json:"more"` // there are others after these
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
	after, _ := strconv.ParseUint(req.URL.Query().Get("after"), 10, 64) // 0: from the first on
	found, err := c.Letters.Page(ctx, f, after, limit+1)
	if err != nil {
		return nil, err
	}
	out := letterList{Letters: found, More: len(found) > limit}
	out.Letters = out.Letters[:min(len(found), limit)]
	if out.Letters == nil {
		out.Letters = []usher.DeadLetter{}
	}
	return out, nil
}

func (c *Console) groups(ctx context.Context, req *http.Request, _ User) (any, error) {
	f, err := letterFilter(req)
	if err != nil {
		return nil, err
	}
	groups, err := c.Letters.Groups(ctx, f)
	if groups == nil {
		groups = []usher.LetterGroup{}
	}
	return map[string][]usher.LetterGroup{"groups": groups}, err
}

func (c *Console) plan(ctx context.Context, req *http.Request, _ User) (any, error) {
	f, err := letterFilter(req)
	if err != nil {
		return nil, err
	}
	return c.Letters.Plan(ctx, f, req.URL.Query().Get("force") == "true")
}

func (c *Console) replay(_ context.Context, req *http.Request, user User) (any, error) {
	in, err := body[struct {
		Filter LetterFilter `json:"filter"`
		Rate   float64      `json:"rate"`
		Force  bool         `json:"force"`
		Reason string       `json:"reason"`
	}](req)
	if err != nil {
		return nil, err
	}
	if in.Rate < 0 || in.Rate > 1e6 {
		return nil, refuse(http.StatusUnprocessableEntity, "the pace is a number of jobs a second, or nothing")
	}
	return c.replaying.start(in.Filter, ReplayOptions{Rate: in.Rate, Force: in.Force, Reason: in.Reason, By: user})
}

func (c *Console) replays(context.Context, *http.Request, User) (any, error) {
	return map[string][]replayState{"replays": c.replaying.list()}, nil
}

func (c *Console) stopReplay(_ context.Context, req *http.Request, _ User) (any, error) {
	return struct{}{}, c.replaying.stop(req.PathValue("id"))
}

func (c *Console) discard(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[struct {
		Filter LetterFilter `json:"filter"`
		Reason string       `json:"reason"`
	}](req)
	if err != nil {
		return nil, err
	}
	if err := said(in.Reason); err != nil {
		return nil, err
	}
	n, err := c.Letters.Discard(ctx, in.Filter, in.Reason, user)
	c.lettersChanged()
	return map[string]int{"discarded": n}, err
}

func (c *Console) edit(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[struct {
		Filter LetterFilter `json:"filter"`
		Edit   Edit         `json:"edit"`
	}](req)
	if err != nil {
		return nil, err
	}
	if len(in.Edit.Set) == 0 && len(in.Filter.Seqs) != 1 {
		return nil, refuse(http.StatusUnprocessableEntity, "say which fields to set, or edit one letter's whole job")
	}
	if err := said(in.Edit.Reason); err != nil && !in.Edit.DryRun {
		return nil, err
	}
	report, err := c.Letters.Edit(ctx, in.Filter, in.Edit, user)
	if !in.Edit.DryRun {
		c.lettersChanged()
	}
	return report, err
}

func (c *Console) lettersChanged() {
	c.causes.invalidate()
	c.live.notify(topicLetters)
	c.live.notify(topicOverview)
}
