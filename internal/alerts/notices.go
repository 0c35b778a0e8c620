package alerts

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/readable"
	"usher/queues/decisions"
)

// noticeLife is the age after which a notice is dropped, for example one that was stored
// before a channel was configured.
const noticeLife = 24 * time.Hour

// maxNotices is the maximum number of lines about the decisions of a run.
const maxNotices = 20

// findNotices finds the runs with decisions of rules with notify. Those of rules with
// notify: digest wait until Every has passed since the last ones.
func (d *detector) findNotices(ctx context.Context, s *alertState, first bool) error {
	notices, err := d.notices.List(ctx)
	if err != nil {
		return err
	}
	now := d.now()
	wait, reported := now.Sub(s.Notified) < d.Every, s.Reported
	s.Reported = nil
	for _, notice := range notices {
		switch {
		case first || now.Sub(notice.At) > noticeLife:
			err = d.notices.Remove(ctx, notice.Run)
		case slices.Contains(reported, notice.Run): // and not yet removed
			s.Reported = append(s.Reported, notice.Run)
		case notice.Each || !wait:
			err = d.addNotice(ctx, s, notice)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addNotice reports a run. It does nothing while the run's evaluation is not stored.
func (d *detector) addNotice(ctx context.Context, s *alertState, notice decisions.Notice) error {
	run, decisions, err := d.readNotice(ctx, notice.Run)
	if err != nil || len(decisions) == 0 {
		return err
	}
	s.queue(d.noticeMessage(&run, decisions))
	s.Reported = append(s.Reported, notice.Run)
	if !notice.Each {
		s.Notified = d.now()
	}
	return nil
}

// readNotice returns a run with its decisions of rules with notify.
func (d *detector) readNotice(ctx context.Context, id string) (run usher.Evaluation, decisions []usher.StoredDecision, err error) {
	run, found, err := d.decisions.FindEvaluation(ctx, id)
	if err != nil || !found {
		return run, nil, err
	}
	decisions, err = d.decisions.Decisions(ctx, id)
	decisions = slices.DeleteFunc(decisions, func(r usher.StoredDecision) bool { return r.Notice == "" })
	slices.SortStableFunc(decisions, compareNotices)
	return run, decisions, err
}

// noticeMessage returns the message about a run: a line for each decision of a rule with notify:
// each, and one line for all alike decisions of a rule with notify: digest. A single line is the
// title.
func (d *detector) noticeMessage(e *usher.Evaluation, decisions []usher.StoredDecision) Message {
	lines := noticeLines(e.File, decisions)
	m := newMessage(RuleFinding, e.ID, lines[0], e.At)
	m.Event, m.Count, m.Counted = Finding, int64(len(decisions)), "finding"
	m.Link = d.page(runPath(e.ID))
	if len(lines) > 1 {
		m.Title = "Rules " + e.File + " report " + readable.Count(len(lines), "finding")
		if more := len(lines) - maxNotices; more > 0 {
			lines = append(lines[:maxNotices], "and "+readable.Count(more, "more finding"))
		}
		m.Details = lines
	}
	m.Action = "Look at the run, and at the numbers behind it." + d.command("usher rules runs show "+e.ID)
	return m
}

// runPath is the page of a run in the console.
func runPath(id string) string { return "/rules/runs/" + url.PathEscape(id) }

func noticeLines(file string, decisions []usher.StoredDecision) []string {
	var lines []string
	for rest := decisions; len(rest) > 0; {
		same := 1
		for rest[0].Notice == usher.NoticeDigest && same < len(rest) && alike(&rest[same], &rest[0]) {
			same++
		}
		lines = append(lines, noticeLine(file, rest[:same]))
		rest = rest[same:]
	}
	return lines
}

// alike reports whether two decisions of a run share a line.
func alike(a, b *usher.StoredDecision) bool {
	return a.Notice == b.Notice && compareNotices(*a, *b) == 0
}

// compareNotices orders decisions by rule, action and guard.
func compareNotices(a, b usher.StoredDecision) int {
	return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Action, b.Action), cmp.Compare(a.Wants, b.Wants), cmp.Compare(a.Guard, b.Guard))
}

// maxReason is the length at which a reason is cut: the change, the guard, and the condition
// with its numbers fit.
const maxReason = 500

// noticeLine describes decisions that are alike: the rule, its action, the creatives or
// campaigns, and the reason of the first decision. The reason of a decision that changes
// nothing begins with what the rule would do.
func noticeLine(file string, decisions []usher.StoredDecision) string {
	d := &decisions[0]
	verb := map[usher.Action]string{usher.Pause: "pauses", usher.Resume: "resumes", usher.Decrease: "decreases", usher.Increase: "increases", usher.Held: "is held on", usher.Notify: "reports"}[d.Action]
	what := strings.TrimSpace(d.Campaign + " " + d.Creative)
	if len(decisions) > 1 {
		noun := "creative"
		if d.Bidding != nil {
			noun = "campaign"
		}
		what = fmt.Sprintf("%s, such as %s", readable.Count(len(decisions), noun), what)
	}
	return fmt.Sprintf("Rule %s of %s %s %s: %s", d.Rule, file, verb, readable.Printable(what), readable.Line(d.Reason, maxReason))
}
