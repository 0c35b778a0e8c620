package alerts

import (
	"context"
	"fmt"
	"slices"
	"time"

	"usher"
	"usher/internal/readable"
)

// findBlind finds rules that are blind and creatives that nothing resumes, and those that no
// longer are, and what rules have taken back.
func (d *detector) findBlind(ctx context.Context, s *alertState, first bool) error {
	list, err := d.decisions.Blindness(ctx)
	if err != nil {
		return err
	}
	present := map[string]bool{}
	for i := range list {
		if list[i].TookBack != "" {
			continue
		}
		m := d.blindMessage(&list[i])
		if present[m.Incident] = true; s.Open[m.Incident] == nil && len(s.Open) < maxOpen {
			s.open(m, d.now())
		}
	}
	for _, name := range s.names(RuleBlind) {
		if !present[name] {
			s.end(name, d.now(), "")
		}
	}
	d.findTookBack(s, list, first)
	return nil
}

// tookBackPatience is the time after which the jobs of a run have ended, so that one message has all
// that they have taken back.
const tookBackPatience = time.Minute

// findTookBack reports, once, what a rule has taken back in a run of what somebody had changed on the
// platform.
func (d *detector) findTookBack(s *alertState, list []usher.Blindness, first bool) {
	reported := s.TookBack
	s.TookBack = nil
	for i := range list {
		b := &list[i]
		if b.TookBack == "" || !first && d.now().Sub(b.Since) < tookBackPatience {
			continue
		}
		m := d.blindMessage(b)
		if s.TookBack = append(s.TookBack, m.Incident); !first && !slices.Contains(reported, m.Incident) {
			s.queue(m)
		}
	}
}

// maxSpots is the number of campaigns or creatives that a message names.
const maxSpots = 5

// blindMessage returns the message about a rule that is blind, whose creatives are orphaned, or that took
// something back.
func (d *detector) blindMessage(b *usher.Blindness) Message {
	subject, title := b.File+"/"+b.Rule, fmt.Sprintf("Rule %s of %s cannot decide: data are missing or conflict", b.Rule, b.File)
	action := "See whether the platform's report, the numbers from outside or the table of targets lacks what is named; campaigns in several currencies need a rule for each. Until the rule can decide, nothing that it should stop is stopped." + d.command("usher rules ls")
	if b.Orphaned {
		subject, title = "orphaned/"+b.Rule, fmt.Sprintf("Nothing resumes what rule %s has paused: no file has it any more", b.Rule)
		action = "Resume them, or write formerly: with that name into the rule that took its place." + d.command("usher rules ls")
	}
	m := newMessage(RuleBlind, subject, title, b.Since)
	m.Count, m.Counted = int64(b.Count), "campaign or creative"
	m.Link = d.page("/rules")
	if b.TookBack != "" {
		m = newMessage(RuleFinding, "took_back/"+b.File+"/"+b.Rule+"/"+b.TookBack, fmt.Sprintf("Rule %s of %s took back what somebody had changed on the platform", b.Rule, b.File), b.Since)
		m.Event, m.Count, m.Counted, m.Link = Finding, int64(b.Count), "change", d.page(runPath(b.TookBack))
		action = "To have it left alone, keep rules from it (usher rules keep, or its page), and change it again." + d.command("usher rules runs show "+b.TookBack)
	}
	for i := range b.On[:min(maxSpots, len(b.On))] {
		m.Details = append(m.Details, readable.Line(spotText(&b.On[i]), 300))
	}
	if more := b.Count - maxSpots; more > 0 {
		m.Details = append(m.Details, fmt.Sprintf("and %d more", more))
	}
	m.Action = action
	return m
}

// spotText says on what a rule is blind, what is missing, and how much was spent last; or what it took back.
func spotText(s *usher.BlindSpot) string {
	text := readable.Printable(s.Name())
	if what := s.Missing + s.Changed; what != "" {
		text += ": " + what
	}
	if s.Day != "" {
		text += fmt.Sprintf("; %s spent on %s", readable.Short(s.Spend), s.Day)
	}
	at := s.Since.UTC().Format("2006-01-02 15:04 MST")
	if s.Changed != "" {
		return text + ", taken back at " + at
	}
	return text + "; since " + at
}
