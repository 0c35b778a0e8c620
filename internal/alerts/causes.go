package alerts

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"usher"
	"usher/internal/readable"
	"usher/queues/letters"
)

// Bounds of what is read and reported of dead letters.
const (
	maxLetters = 100_000        // that are grouped at once
	maxCauses  = 20             // new causes that get messages of their own at once
	remindAge  = 24 * time.Hour // after which a cause that grows is reported again
	settleTime = 2 * time.Minute
	surveyTime = time.Minute // the minimum time between two readings of all letters
)

// findLetters finds new causes of dead letters, and those that are gone.
func (d *detector) findLetters(ctx context.Context, s *alertState, first bool) error {
	newest, err := d.letters.Newest(ctx)
	if err != nil {
		return err
	}
	if first {
		s.Seq = newest
		return nil
	}
	if newest > s.Seq && d.now().Sub(s.Letters) >= d.Every {
		if err := d.findCauses(ctx, s, newest); err != nil {
			return err
		}
	}
	return d.findSolved(ctx, s, newest)
}

// findCauses reports the causes of new letters. A cause is reported once until it is gone, and
// again after a day in which it has grown.
func (d *detector) findCauses(ctx context.Context, s *alertState, newest uint64) error {
	survey, err := d.letters.Survey(ctx, letters.Filter{After: s.Seq, Through: newest, Limit: maxLetters})
	if err != nil {
		return err
	}
	now := d.now()
	s.Seq, s.Letters = newest, now
	reported, others, count := 0, 0, 0
	for i := range survey.Groups {
		g := &survey.Groups[i]
		if known := s.Open[causeName(g)]; known != nil {
			known.Message.Count += int64(g.Count)
			known.Recent = true
			continue
		}
		if reported >= maxCauses || len(s.Open) >= maxOpen {
			others++
			count += g.Count
			continue
		}
		reported++
		s.open(d.causeMessage(g), now)
	}
	if others > 0 {
		m := newMessage(DeadLetters, "others", readable.Count(others, "more cause")+" of dead letters", now)
		m.Event, m.Count, m.Counted = Finding, int64(count), "dead letter"
		m.Action = "Fix each cause, then replay its jobs." + d.command("usher dead groups")
		m.Link = d.page("/letters")
		s.queue(m)
	}
	return nil
}

func causeName(g *usher.LetterGroup) string { return string(DeadLetters) + "/" + g.Group }

func (d *detector) causeMessage(g *usher.LetterGroup) Message {
	what := "Jobs fail"
	if g.Target != "" {
		what += " on " + readable.Line(g.Target, 100)
	}
	m := newMessage(DeadLetters, g.Group, what+": "+readable.Line(g.Message, 150), g.First)
	m.Details = []string{fmt.Sprintf("%s, %s, such as job %s", g.Class, g.Kind, readable.Line(g.Sample, 100))}
	m.Count, m.Counted = int64(g.Count), "dead letter"
	m.Action = "Fix the cause, then replay its jobs."
	if g.Hint != "" {
		m.Action = sentence(readable.Line(g.Hint, 300)) + " Then replay the jobs."
	}
	m.Action += d.command("usher dead show --group " + g.Group)
	m.Link = d.page("/letters?group=" + url.QueryEscape(g.Group))
	return m
}

// findSolved ends the incidents of causes that have no letter any more. Letters of a replay that
// fails again come back soon, so a cause must be gone for settleTime.
func (d *detector) findSolved(ctx context.Context, s *alertState, newest uint64) error {
	names := s.names(DeadLetters)
	if len(names) == 0 {
		return nil
	}
	d.remind(s, names)
	present, read, err := d.presentCauses(ctx, s, newest)
	if err != nil {
		return err
	}
	now := d.now()
	for _, name := range names {
		i := s.Open[name]
		switch gone := !i.Gone.IsZero(); {
		case read && present[name]:
			i.Gone = time.Time{}
		case read && !gone:
			i.Gone = now
		case gone && now.Sub(i.Gone) >= settleTime && s.Survey.Newest == newest:
			s.end(name, i.Gone, "No dead letter of this cause is left.")
		}
	}
	return nil
}

// remind reports again the causes that have grown since they were reported a day ago.
func (d *detector) remind(s *alertState, names []string) {
	now := d.now()
	for _, name := range names {
		if i := s.Open[name]; i.Recent && now.Sub(i.Told) >= remindAge {
			i.Told, i.Recent = now, false
			m := i.Message
			m.Event = Grown
			s.queue(m)
		}
	}
}

// presentCauses returns the names of the causes that have letters. read reports whether they were
// read: not if nothing has changed, if they were read a moment ago, or if there are too many.
func (d *detector) presentCauses(ctx context.Context, s *alertState, newest uint64) (present map[string]bool, read bool, err error) {
	classes, err := d.letters.Count(ctx)
	if err != nil {
		return nil, false, err
	}
	now := d.now()
	is := survey{At: now, Newest: newest}
	for _, n := range classes {
		is.Total += n
	}
	if is.Newest == s.Survey.Newest && is.Total == s.Survey.Total || is.Total > maxLetters || now.Sub(s.Survey.At) < min(surveyTime, d.Every) {
		return nil, false, nil
	}
	all, err := d.letters.Survey(ctx, letters.Filter{Limit: maxLetters})
	if err != nil {
		return nil, false, err
	}
	s.Survey = is
	present = map[string]bool{}
	for i := range all.Groups {
		present[causeName(&all.Groups[i])] = true
	}
	return present, true, nil
}
