package rules

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/internal/readable"
	"usher/internal/rtb"
	"usher/internal/rules"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/decisions"
)

// history is what usher rules why prints.
type history struct {
	decisions.Story

	fate string // whether the rule that has paused the creative resumes it
	zone *time.Location
}

func why() *cobra.Command {
	return command.View[*queues.Queue, history]{
		About: command.About{
			Use:   "why CREATIVE|CAMPAIGN",
			Short: "Show the history of a creative, or of a campaign's budget and bid",
			Long: `Show everything that usher has recorded about a creative, or about the budget and bid
of a campaign, oldest first: each change with the rule or person who made it and its
metrics, and each decision that was not carried out. For a budget or bid it says whether
anything else of the campaign changed, and --json has the whole campaign before and after
each change. The history does not contain changes that people make on the platform itself,
but it contains the decisions of rules to leave such a creative alone. A condition that
does not hold decides nothing and is not kept: usher rules preview shows it, as of now.`,
			Example: "  usher rules why spring-1",
			Args:    command.ExactArgs("CREATIVE or CAMPAIGN"),
			JSON:    "the history as JSON",
		},
		On: connect.Queue(),
		Load: func(ctx context.Context, c *command.Call, q *queues.Queue) (h history, err error) {
			if h.Story, err = decisions.New(q, nil).Story(ctx, c.Args[0]); err != nil || c.JSON {
				return h, err
			}
			if len(h.Pages) == 0 && h.Stuck == nil && h.Kept == nil {
				return h, noStory(ctx, q, c.Args[0])
			}
			sets, err := workersSets(ctx, q)
			if err != nil {
				return h, err
			}
			h.zone = rules.ZoneOf(sets, h.Campaigns...)
			h.fate, err = fateOf(ctx, q, &h.Story)
			return h, err
		},
		Print: func(c *command.Call, h history) error { return writeStory(c.Out(), &h) },
	}.Command()
}

// noStory is the error of a code of which there is no record. If it is that of a campaign, it names the
// creatives of which there is one.
func noStory(ctx context.Context, q *queues.Queue, code string) error {
	creatives := map[string]bool{}
	err := q.Audit().Each(ctx, audit.Filter{Campaign: code}, func(a usher.Audit) error {
		if a.Creative != "" {
			creatives[a.Creative] = true
		}
		return nil
	})
	if err != nil {
		return err
	}
	if known := slices.Sorted(maps.Keys(creatives)); len(known) > 0 {
		return fmt.Errorf("there is no record of the budget or bid of campaign %s, but of %s of it: try usher rules why %s", code, readable.Count(len(known), "creative"), known[0])
	}
	return fmt.Errorf("there is no record of %q: no job has changed a creative, or the budget or bid of a campaign, with this code, and no rule has decided on one: a condition that does not hold is not kept, and usher rules preview FILE shows it; if a rule cannot decide on a whole campaign, usher rules why CAMPAIGN says why", code)
}

// fateOf says whether the rule that has paused a creative resumes it.
func fateOf(ctx context.Context, q *queues.Queue, s *decisions.Story) (string, error) {
	owner := s.Owner
	if owner == nil {
		return "", nil
	}
	paused, err := q.Settings().List(ctx, usher.RulePause)
	if err != nil {
		return "", err
	}
	files, err := decisions.NewFileRegistry(q).List(ctx)
	if err != nil {
		return "", err
	}
	read := 0
	for i := range files {
		set, _ := rules.LoadAnnounced(&files[i])
		if set == nil {
			continue
		}
		read++
		if rule := set.Owner(owner.File + "/" + owner.Rule); rule != nil {
			return fateBy(set, rule, s, paused, q.Now()), nil
		}
	}
	if read < len(files) || len(files) == 0 {
		return "which may resume it only if it has resume_when or active_hours, and nobody else changes it", nil
	}
	return "which is in no file that workers use: nothing resumes it, unless a rule has the key formerly: " + owner.Rule, nil
}

// fateBy says whether a rule that owns what paused a creative resumes it. paused are the rules that
// people have paused, by key.
func fateBy(set *rules.Set, rule *rules.Rule, s *decisions.Story, paused map[string]usher.Setting, at time.Time) string {
	key, which := set.Key(rule.Name), "which "
	if key != s.Owner.File+"/"+s.Owner.Rule {
		which = "which is now rule " + key + " and "
	}
	has := func(campaign string) bool {
		return set.Has(rules.Creative{Campaign: campaign, Code: s.Creative, Type: rules.AnyType}, []string{rule.Name}, at)
	}
	pause, isPaused := paused[key]
	switch {
	case !rule.Resumes(s.Owner.Cause):
		return "which has no resume_when: it stays paused until a person resumes it"
	case rule.Mode != rules.Act && rule.Mode != rules.Approve:
		return which + "is in mode " + string(rule.Mode) + ": nothing resumes it while it is"
	case !slices.ContainsFunc(s.Campaigns, has):
		return which + "does not have it in scope now: nothing resumes it until it has"
	case isPaused:
		return which + "is " + describePause(&pause, readable.Time) + ": nothing resumes it until 'usher rules resume " + set.Name + " " + rule.Name + "'"
	}
	return which + "may resume it unless somebody else changes it"
}

func writeStory(w io.Writer, h *history) error {
	s := &h.Story
	for _, campaign := range s.Campaigns {
		if campaign == s.Creative && !slices.ContainsFunc(s.Pages, decisions.Page.IsOfNumber) {
			fmt.Fprintf(w, "campaign %s\n", readable.Printable(campaign))
			continue
		}
		if campaign == s.Creative {
			fmt.Fprintf(w, "budget and bid of campaign %s\n", readable.Printable(campaign))
			continue
		}
		fmt.Fprintf(w, "creative %s of campaign %s\n", readable.Printable(s.Creative), readable.Printable(campaign))
	}
	if o := s.Owner; o != nil {
		fmt.Fprintf(w, "it was last changed by rule %s (%s), %s\n", o.Rule, o.File, h.fate)
	}
	if s.Kept != nil {
		fmt.Fprintln(w, keptText(s.Kept, h.zone))
	}
	if e := s.Stuck; e != nil {
		fmt.Fprintf(w, "every job is superseded by order %d of job %s, which no job can have: 'usher repair order %s' lifts it\n",
			e.Order, readable.Printable(e.Job), readable.Printable(s.Creative))
	}
	for _, p := range s.Pages {
		fmt.Fprintf(w, "\n%s  %s\n", readable.Time(p.At), readable.Printable(pageTitle(&p)))
		for _, line := range pageDetails(&p) {
			if line != "" {
				fmt.Fprintf(w, "    %s\n", readable.Printable(line))
			}
		}
	}
	return nil
}

// pageDetails returns the reason and metrics of a page, and the ids of its run and job.
func pageDetails(p *decisions.Page) []string {
	if d := p.Decision; d != nil {
		return []string{d.Reason, metricsText(d.Metrics, d.Values), togetherText(p.Together), "run " + p.Evaluation, p.Outcome}
	}
	a := p.Audit
	if a.Job == "" {
		return []string{a.Reason}
	}
	reason, ids := a.Reason, "job "+a.Job
	if p.Approval != nil {
		reason = p.Approval.Wanted
	}
	if a.Evaluation != "" {
		ids = "run " + a.Evaluation + ", " + ids
	}
	return []string{reason, metricsText(a.Metrics, a.Values), togetherText(p.Together), takesBackText(a), otherChanges(a), ids}
}

// togetherText names the campaigns of a decision that a rule made on several of them together.
func togetherText(campaigns []string) string {
	const most = 5
	if len(campaigns) == 0 {
		return ""
	}
	text := "one decision on " + readable.Count(len(campaigns), "campaign") + ": " + strings.Join(campaigns[:min(most, len(campaigns))], ", ")
	if more := len(campaigns) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// takesBackText says what the change took back of what somebody had changed on the platform.
func takesBackText(a *usher.Audit) string {
	if a.TakesBack == "" {
		return ""
	}
	return "takes back what somebody had changed on the platform: " + a.TakesBack
}

// otherChanges says what differs in the campaign after a change of its budget or bid, apart
// from that number.
func otherChanges(a *usher.Audit) string {
	if a.Definitions == nil || a.Bidding == nil {
		return ""
	}
	others := rtb.Definition(a.Definitions.Before).Differences(rtb.Definition(a.Definitions.After), a.Bidding.Field)
	if len(others) == 0 {
		return "nothing else of the campaign changed"
	}
	return "also different in the campaign: " + strings.Join(others, ", ") + "; --json prints it before and after"
}

// pageTitle describes a page of a story in one sentence.
func pageTitle(p *decisions.Page) string {
	if p.Audit != nil {
		return strings.TrimSuffix(auditLine(p.Audit)+approvalText(p.Approval), ": ")
	}
	d := p.Decision
	by := "rule " + d.Rule + " (" + p.File + ")"
	if d.Rule == "" { // an undo has no rule
		by = p.By
	}
	switch {
	case d.Action == usher.Unknown:
		return by + " could not decide"
	case d.Action == usher.None && d.Guard == usher.GuardHandsOff:
		return by + " left it alone"
	case d.Action == usher.None:
		return by + " did not change it"
	case d.Action == usher.Notify:
		return by + " would " + string(d.Wants) + " it, but only notifies"
	case d.Action != usher.Held:
		return by + " decided to " + string(d.Action) + " it"
	case d.Left: // also of a run of which other decisions still wait
		return by + " wanted to " + string(d.Wants) + " it; " + p.By + " approved the run without it"
	case p.State == usher.EvaluationHeld && d.Approvable():
		return by + " wants to " + string(d.Wants) + " it, and waits for approval"
	case p.State == usher.EvaluationRejected && d.Approvable():
		return by + " wanted to " + string(d.Wants) + " it; " + p.By + " rejected it"
	}
	return by + " wanted to " + string(d.Wants) + " it, but did not"
}

// approvalText says who approved a change, and why.
func approvalText(a *decisions.Approval) string {
	if a == nil {
		return ""
	}
	return ", approved by " + cmp.Or(a.By, "somebody") + ": " + a.Reason
}

// auditLine describes a change in one sentence.
func auditLine(a *usher.Audit) string {
	change := map[string]string{"INACTIVE": "paused", "ACTIVE": "resumed"}[a.Wanted]
	if change == "" {
		change = "set to " + a.Wanted
	}
	by := "somebody"
	switch file := usher.RuleFileOfActor(a.Actor); {
	case file != "":
		by = "rule " + a.Rule + " (" + file + ")"
	case a.Actor != "":
		by = a.Actor
	}
	if a.Restores != "" {
		by = "usher, for job " + a.Restores + "," // regardless of the actor of the job that restored it
	}
	if a.Wanted == usher.Released {
		return by + " handed it back to rules"
	}
	if a.Job == "" && strings.HasPrefix(a.Wanted, "kept ") {
		return by + " keeps it from rules" + strings.TrimPrefix(a.Wanted, "kept")
	}
	if a.Wanted == queues.OrderLifted {
		return by + " lifted its " + a.Before
	}
	switch a.After {
	case a.Wanted:
	case string(usher.Unknown):
		return fmt.Sprintf("%s wanted it %s, but the platform did not show it afterwards", by, change)
	default:
		return fmt.Sprintf("%s wanted it %s, but it is %s", by, change, a.After)
	}
	if a.Keeps {
		return by + " paused it, too: it stays paused, and rules may not resume it"
	}
	if a.Bidding != nil {
		return fmt.Sprintf("%s set the %s: %s → %s", by, a.Bidding.Field, a.Before, a.After)
	}
	return fmt.Sprintf("%s %s it: %s → %s", by, change, a.Before, a.After)
}
