package alerts

import (
	"fmt"
	"strings"

	"usher/internal/readable"
)

// maxListed is the maximum number of causes, and of held runs, that an alert lists.
const maxListed = 5

// maxFeeds is the maximum number of feeds that an alert lists.
const maxFeeds = 20

// alertText formats an alert for Slack, which requires & < > to be escaped. console is the
// address of the console for links, or "".
func alertText(a *Alert, console string) string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	switch {
	case a.WriteError != "":
		add("usher: worker %s: %s Until then no job runs or ends (usher doctor)", a.Worker, a.WriteError)
	case a.WritesResumed:
		add("usher: worker %s: NATS takes writes again", a.Worker)
	}
	if a.Letters > 0 {
		add("usher: %s", readable.Count(int64(a.Letters), "new dead letter"))
		for _, g := range a.Groups[:min(len(a.Groups), maxListed)] {
			add("• %s %s %s on %s: %s (such as %s; usher dead show --group %s)", readable.Number(int64(g.Count)), g.Class, g.Kind, g.Target, readable.Line(g.Message, 150), g.Sample, g.Group)
		}
		if more := len(a.Groups) - maxListed; more > 0 {
			add("• and %s (usher dead groups)", readable.Count(int64(more), "more cause"))
		}
	}
	for _, e := range a.Held[:min(len(a.Held), maxListed)] {
		add("usher: run %s of rules %s is held: %s (usher rules run %s; approve or reject it)", e.ID, e.File, readable.Line(e.Why, 150), e.ID)
	}
	if more := len(a.Held) - maxListed; more > 0 {
		add("usher: %s held (usher rules runs)", readable.Count(int64(more), "more run"))
	}
	for _, line := range noticeLines(a.Notices, console) {
		add("%s", line)
	}
	for _, f := range a.Feeds[:min(len(a.Feeds), maxFeeds)] {
		if f.Rule == "" {
			add("usher: feed %s is late: an export was expected by %s (usher feeds show %s)", f.Feed, readable.Time(f.By), f.Feed)
		} else {
			add("usher: feed %s holds an export by %s: %s (usher feeds approve %s, or reject)", f.Feed, f.Rule, readable.Line(f.Why, 150), f.Feed)
		}
	}
	if more := len(a.Feeds) - maxFeeds; more > 0 {
		add("usher: %s late or held (usher feeds ls)", readable.Count(int64(more), "more feed"))
	}
	for _, l := range a.Stalled {
		add("usher: lane %s has stalled: %s waiting, the oldest for %s (usher lanes ls)", l.Lane, readable.Count(l.Waiting, "job"), readable.Duration(l.Waits(a.At)))
	}
	for _, l := range a.Recovered {
		add("usher: lane %s has recovered", l)
	}
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(strings.Join(lines, "\n"))
}
