package alerts

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"

	"usher"
	"usher/internal/readable"
)

// maxNotices is the maximum number of lines about decisions in an alert.
const maxNotices = 20

// noticeLines returns a line for each decision of a rule with notify: each, and one line
// for all alike decisions of a rule with notify: digest in a run.
func noticeLines(notices []Notice, console string) []string {
	var lines []string
	for _, n := range notices {
		for rest := n.Decisions; len(rest) > 0; {
			same := 1
			for rest[0].Notice == usher.NoticeDigest && same < len(rest) && alike(&rest[same], &rest[0]) {
				same++
			}
			lines = append(lines, noticeLine(&n.Run, rest[:same])+runLink(n.Run.ID, console))
			rest = rest[same:]
		}
	}
	if more := len(lines) - maxNotices; more > 0 {
		lines = append(lines[:maxNotices], "usher: and "+readable.Count(int64(more), "more finding")+" of rules (usher rules runs)")
	}
	return lines
}

// alike reports whether two decisions of a run share a line.
func alike(a, b *usher.Ruling) bool {
	return a.Notice == b.Notice && compareNotices(*a, *b) == 0
}

// compareNotices orders decisions by rule, action and guard.
func compareNotices(a, b usher.Ruling) int {
	return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Action, b.Action), cmp.Compare(a.Wants, b.Wants), cmp.Compare(a.Guard, b.Guard))
}

// maxReason is the length at which a reason is cut: the change, the guard, and the condition
// with its numbers fit.
const maxReason = 500

// noticeLine describes decisions that are alike: the rule, its action, the creatives or
// campaigns, and the reason of the first decision. The reason of a decision that changes
// nothing begins with what the rule would do.
func noticeLine(e *usher.Evaluation, decisions []usher.Ruling) string {
	d := &decisions[0]
	verb := map[usher.Action]string{usher.Pause: "pauses", usher.Resume: "resumes", usher.Decrease: "decreases", usher.Increase: "increases", usher.Held: "is held on", usher.Notify: "reports"}[d.Action]
	what := strings.TrimSpace(d.Campaign + " " + d.Creative)
	if len(decisions) > 1 {
		noun := "creative"
		if d.Bidding != nil {
			noun = "campaign"
		}
		what = fmt.Sprintf("%s, such as %s", readable.Count(int64(len(decisions)), noun), what)
	}
	return fmt.Sprintf("usher: rule %s of %s %s %s: %s", d.Rule, e.File, verb, readable.Printable(what), readable.Line(d.Reason, maxReason))
}

// runLink returns the address of a run in the console, or the command that shows it.
func runLink(id, console string) string {
	if console == "" {
		return " (usher rules run " + id + ")"
	}
	return " (" + strings.TrimSuffix(console, "/") + "/#/rules/runs/" + url.PathEscape(id) + ")"
}
