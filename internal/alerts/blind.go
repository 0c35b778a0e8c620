package alerts

import (
	"context"
	"fmt"

	"usher"
	"usher/internal/readable"
)

// findBlind finds rules that are blind and creatives that nothing resumes, and those that no
// longer are.
func (d *detector) findBlind(ctx context.Context, s *alertState, _ bool) error {
	list, err := d.decisions.Blindness(ctx)
	if err != nil {
		return err
	}
	present := map[string]bool{}
	for i := range list {
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
	return nil
}

// maxSpots is the number of campaigns or creatives that a message names.
const maxSpots = 5

// blindMessage returns the message about a rule that is blind, or whose creatives are orphaned.
func (d *detector) blindMessage(b *usher.Blindness) Message {
	subject, title := b.File+"/"+b.Rule, fmt.Sprintf("Rule %s of %s cannot decide: its report lacks something", b.Rule, b.File)
	action := "Look at the report of these campaigns. Until the rule can decide, nothing that it should stop is stopped." + d.command("usher rules ls")
	if b.Orphaned {
		subject, title = "orphaned/"+b.Rule, fmt.Sprintf("Nothing resumes what rule %s has paused: no file has it any more", b.Rule)
		action = "Resume them, or write formerly: with that name into the rule that took its place." + d.command("usher rules ls")
	}
	m := newMessage(RuleBlind, subject, title, b.Since)
	m.Count, m.Counted = int64(b.Count), "campaign or creative"
	for i := range b.On[:min(maxSpots, len(b.On))] {
		m.Details = append(m.Details, readable.Line(spotText(&b.On[i]), 300))
	}
	if more := b.Count - maxSpots; more > 0 {
		m.Details = append(m.Details, fmt.Sprintf("and %d more", more))
	}
	m.Action, m.Link = action, d.page("/rules")
	return m
}

// spotText says on what a rule is blind, what is missing, and how much was spent last.
func spotText(s *usher.BlindSpot) string {
	text := readable.Printable(s.Name())
	if s.Missing != "" {
		text += ": " + s.Missing
	}
	if s.Day != "" {
		text += fmt.Sprintf("; %s spent on %s", readable.Short(s.Spend), s.Day)
	}
	return text + fmt.Sprintf("; since %s", s.Since.UTC().Format("2006-01-02 15:04 MST"))
}
