package console

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"usher"
	"usher/queues/audit"
	"usher/queues/letters"
	"usher/queues/schema"
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

// letterRow is a letter, with the changes of its job that its error asks for.
type letterRow struct {
	usher.DeadLetter

	Remedies []letters.Remedy `json:"remedies"`
	// KnownSince is when the oldest of the jobs was submitted that usher has looked at for one that has done what this
	// one should do, if there may be such a job among the older ones.
	KnownSince *time.Time `json:"knownSince,omitempty"`
}

func (c *Console) letterRowOf(l *usher.DeadLetter) letterRow {
	row := letterRow{DeadLetter: *l, Remedies: append([]letters.Remedy{}, letters.Remedies(l.Class, l.Hint)...)}
	if l.Later == nil {
		row.KnownSince = c.knownSince(l.Kind, l.Class, l.At)
	}
	return row
}

// knownSince returns since when the jobs are known that were submitted after a job of a kind has failed; nil if all
// are, or if no later job can do what it should do.
func (c *Console) knownSince(kind usher.Kind, class usher.Class, failed time.Time) *time.Time {
	if !letters.CanBeNeedless(kind, class) {
		return nil
	}
	kept := c.options.Live.Kept()
	if since := edgeOf(kept); kept.Older && failed.Before(since) {
		return &since
	}
	return nil
}

// groupRow is a group of letters, with the changes of their jobs that the error of the newest asks for.
type groupRow struct {
	usher.LetterGroup

	Remedies   []letters.Remedy `json:"remedies"`
	KnownSince *time.Time       `json:"knownSince,omitempty"` // as of a letter: of the oldest one
}

func (c *Console) groupRowsOf(groups []usher.LetterGroup) []groupRow {
	rows := make([]groupRow, 0, len(groups))
	for i := range groups {
		g := &groups[i]
		row := groupRow{LetterGroup: *g, Remedies: append([]letters.Remedy{}, letters.Remedies(g.Class, g.Hint)...)}
		if g.Needless+g.Superseded < g.Count {
			row.KnownSince = c.knownSince(g.Kind, g.Class, g.First)
		}
		rows = append(rows, row)
	}
	return rows
}

// letterList is a page of letters, newest first.
type letterList struct {
	Letters []letterRow `json:"letters"`
	More    bool        `json:"more"` // further letters match
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
		if f.Before, err = strconv.ParseUint(text, 10, 64); err != nil {
			return nil, refuse(http.StatusBadRequest, "after must be the number of a letter")
		}
	}
	f.Limit = limit + 1 // one more shows whether further letters match
	found, err := c.options.Letters.Latest(ctx, f)
	if err != nil {
		return nil, err
	}
	list := letterList{Letters: []letterRow{}, More: len(found) > limit}
	for i := range found[:min(len(found), limit)] {
		list.Letters = append(list.Letters, c.letterRowOf(&found[i]))
	}
	return list, nil
}

func (c *Console) groups(ctx context.Context, req *http.Request, _ User) (any, error) {
	f, err := letterFilter(req)
	if err != nil {
		return nil, err
	}
	groups, err := c.options.Letters.Groups(ctx, f)
	return map[string][]groupRow{"groups": c.groupRowsOf(groups)}, err
}

// maxSkips is the maximum number of skipped letters on a page.
const maxSkips = 10

// forced is what the terminal says of a letter that a forced replay takes. The page has its own choice.
const forced = " (--force replays it anyway)"

func firstSkips(skips []letters.Skip) []letters.Skip {
	first := append([]letters.Skip{}, skips[:min(len(skips), maxSkips)]...)
	for i := range first {
		first[i].Why = strings.TrimSuffix(first[i].Why, forced)
	}
	return first
}

// skipReason says why letters are skipped, and how many.
type skipReason struct {
	Why   string `json:"why"`
	Count int    `json:"count"`
	Newer bool   `json:"newer"` // a newer job has changed the same since
}

func reasonsOf(skips letters.Skips) []skipReason {
	reasons := make([]skipReason, 0, len(skips.Reasons))
	for why, n := range skips.Reasons {
		reasons = append(reasons, skipReason{why.Why, n, why.Superseded})
	}
	slices.SortFunc(reasons, func(a, b skipReason) int { return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Why, b.Why)) })
	return reasons[:min(len(reasons), maxSkips)]
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

// editOrder is an edit of the jobs of dead letters. It sets fields, or replaces the job of
// one letter.
type editOrder struct {
	Set    map[string]string `json:"set,omitempty"` // values by dotted names, such as source.column; null removes a field
	Job    json.RawMessage   `json:"job,omitempty"` // the whole job, if Set is empty
	Reason string            `json:"reason"`
	DryRun bool              `json:"dryRun"` // change nothing
}

// editReport describes what an edit did, or what it would do.
type editReport struct {
	Edited  int          `json:"edited"`
	Same    int          `json:"same"` // letters in which the edit changes nothing
	Refused int          `json:"refused"`
	Why     string       `json:"says"`    // why the first letter was refused
	Example *editExample `json:"example"` // the first letter that is edited
	Now     []uint64     `json:"now"`     // the numbers of the letters after the edit
}

// editExample is the edit of one letter.
type editExample struct {
	ID     *string         `json:"id"`
	Seq    uint64          `json:"seq"`
	Before json.RawMessage `json:"before"`
	After  json.RawMessage `json:"after"`
	Fields []string        `json:"fields"` // JSON pointers of the changed fields
}

func exampleOf(e letters.Edited) editExample {
	return editExample{ID: e.ID, Seq: e.Seq, Before: e.Before, After: e.After, Fields: append([]string{}, e.Fields...)}
}

func (r *editReport) add(e letters.Edited) {
	switch {
	case len(e.Issues) > 0:
		if r.Refused++; r.Why == "" {
			r.Why = schema.Describe(e.Issues)
		}
	case len(e.Fields) == 0:
		r.Same++
	default:
		if r.Edited++; r.Example == nil {
			r.Example = new(exampleOf(e))
		}
		if e.Now > 0 {
			r.Now = append(r.Now, e.Now)
		}
	}
}

func (c *Console) edit(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[struct {
		Filter letters.Filter `json:"filter"`
		Edit   editOrder      `json:"edit"`
	}](req)
	if err != nil {
		return nil, err
	}
	if len(in.Edit.Set) == 0 && len(in.Filter.Seqs) != 1 {
		return nil, refuse(http.StatusUnprocessableEntity, "set at least one field, or select exactly one letter to replace its job")
	}
	change := func(usher.Kind, json.RawMessage) (json.RawMessage, error) { return in.Edit.Job, nil }
	if len(in.Edit.Set) > 0 {
		change = c.options.Edits.Assign(in.Edit.Set)
	}
	var report editReport
	if in.Edit.DryRun {
		err := c.options.Edits.PlanEdit(ctx, in.Filter, change, func(e letters.Edited) error { report.add(e); return nil })
		return report, err
	}
	if err := requireReason(in.Edit.Reason); err != nil {
		return nil, err
	}
	err = c.options.Edits.Edit(ctx, in.Filter, change, actOf(user, in.Edit.Reason), report.add)
	c.lettersChanged()
	return report, err
}

// fixPlan describes what a fix would do.
type fixPlan struct {
	Count   int            `json:"count"`   // jobs that would be replayed
	Changed int            `json:"changed"` // of these, jobs that would be changed
	Refused int            `json:"refused"`
	Why     string         `json:"says"`   // why the first letter was refused
	Sample  []editExample  `json:"sample"` // the oldest of the jobs that would be replayed
	Skipped int            `json:"skipped"`
	Reasons []skipReason   `json:"reasons"` // why, the most frequent first
	Left    []letters.Skip `json:"left"`    // the first skipped letters
	Newer   int            `json:"newer"`   // of the skipped, those of which a newer job has changed the same since: force takes them
	Seconds float64        `json:"seconds"` // the minimum duration of the jobs under the rate limit
	Through uint64         `json:"through"` // the newest letter that the plan covers
	Causes  []groupRow     `json:"causes"`  // of all letters that match, the most frequent first
}

// planFix plans a change of the jobs of letters and their replay.
func (c *Console) planFix(ctx context.Context, req *http.Request, _ User) (any, error) {
	in, err := body[struct {
		Filter letters.Filter    `json:"filter"`
		Set    map[string]string `json:"set"`
		Force  bool              `json:"force"`
	}](req)
	if err != nil {
		return nil, err
	}
	var change letters.Change
	if len(in.Set) > 0 {
		change = c.options.Edits.Assign(in.Set)
	}
	plan, err := c.options.Edits.PlanFix(ctx, in.Filter, change, letters.ReplayOptions{Force: in.Force})
	if err != nil {
		return nil, err
	}
	out := fixPlan{
		Count: plan.Count, Changed: plan.Changed, Refused: plan.Refused, Why: plan.Why, Sample: []editExample{},
		Skipped: plan.LeftOut.Count, Reasons: reasonsOf(plan.LeftOut), Left: firstSkips(plan.LeftOut.Letters), Newer: plan.LeftOut.Superseded, Seconds: c.secondsOf(plan.Count), Through: plan.Filter.Through,
	}
	slices.SortStableFunc(plan.Groups, func(a, b usher.LetterGroup) int { return cmp.Compare(b.Count, a.Count) })
	out.Causes = c.groupRowsOf(plan.Groups[:min(len(plan.Groups), maxListed)])
	for _, e := range plan.Sample {
		out.Sample = append(out.Sample, exampleOf(e))
	}
	return out, nil
}

func (c *Console) discard(ctx context.Context, req *http.Request, user User) (any, error) {
	in, err := body[struct {
		Filter     letters.Filter `json:"filter"`
		Superseded bool           `json:"superseded"` // only those that a newer job has superseded
		Reason     string         `json:"reason"`
	}](req)
	if err != nil {
		return nil, err
	}
	if err := requireReason(in.Reason); err != nil {
		return nil, err
	}
	discard := c.options.Edits.Discard
	if in.Superseded {
		discard = c.discardSuperseded
	}
	n, err := discard(ctx, in.Filter, actOf(user, in.Reason))
	c.lettersChanged()
	return map[string]int{"discarded": n}, err
}

// discardSuperseded discards the letters that a replay would leave out because a newer job has changed
// the same since. A plan names a bounded number of them.
func (c *Console) discardSuperseded(ctx context.Context, f letters.Filter, act audit.Act) (discarded int, err error) {
	for {
		plan, err := c.options.Letters.PlanReplay(ctx, f, letters.ReplayOptions{})
		if err != nil {
			return discarded, err
		}
		var seqs []uint64
		for _, l := range plan.LeftOut.Letters {
			if l.Superseded {
				seqs = append(seqs, l.Seq)
			}
		}
		if len(seqs) == 0 {
			return discarded, nil
		}
		n, err := c.options.Edits.Discard(ctx, letters.Filter{Seqs: seqs}, act)
		discarded += n
		if err != nil || n == 0 {
			return discarded, err
		}
	}
}

func (c *Console) lettersChanged() {
	c.causes.invalidate()
	c.live.notify(topicLetters)
	c.live.notify(topicOverview)
}
