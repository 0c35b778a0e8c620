package alerts

import (
	"fmt"
	"strings"
	"time"

	"usher/internal/readable"
)

// Headline returns the title with what has happened.
func (m *Message) Headline() string {
	if m.Event == Solved {
		return "Solved after " + minutes(m.Until.Sub(m.Since)) + ": " + m.Title
	}
	if m.Event == Grown {
		return "Still growing: " + m.Title
	}
	return m.Title
}

// Figures says since when and how many. Times are in zone.
func (m *Message) Figures(zone *time.Location) string {
	var parts []string
	clock := clock
	if m.Level == Fault {
		clock = exact
	}
	if !m.Since.IsZero() && m.Event != Finding {
		parts = append(parts, "since "+clock(m.Since, zone))
	}
	if !m.Until.IsZero() && m.Event == Solved {
		parts = append(parts, "until "+clock(m.Until, zone))
	}
	if m.Count > 0 && m.Counted != "" {
		parts = append(parts, readable.Count(m.Count, m.Counted))
	}
	return strings.Join(parts, ", ")
}

// Lines returns the message without its headline: figures, details, what to do, the link.
func (m *Message) Lines(zone *time.Location) []string {
	var lines []string
	if figures := m.Figures(zone); figures != "" {
		lines = append(lines, upper(figures))
	}
	lines = append(lines, m.Details...)
	for i := range m.Items {
		lines = append(lines, m.Items[i].bullet(zone)...)
	}
	if m.Action != "" {
		lines = append(lines, "What to do: "+m.Action)
	}
	if m.Link != "" {
		lines = append(lines, m.Link)
	}
	return lines
}

// bullet returns the lines about a message in a summary.
func (m *Message) bullet(zone *time.Location) []string {
	line := "• " + m.Headline()
	if figures := m.Figures(zone); figures != "" {
		line += " (" + figures + ")"
	}
	lines := []string{line}
	if m.Event == Finding {
		for _, d := range m.Details {
			lines = append(lines, "  "+d)
		}
	}
	if m.Link != "" {
		lines = append(lines, "  "+m.Link)
	}
	return lines
}

// Text returns the whole message as plain text.
func (m *Message) Text(zone *time.Location) string {
	return strings.Join(append([]string{"usher: " + m.Headline()}, m.Lines(zone)...), "\n")
}

// clock returns a time with its zone, for people.
func clock(t time.Time, zone *time.Location) string {
	return t.In(zone).Format("2006-01-02 15:04 MST")
}

// exact returns a time with its seconds, as the console shows those of outages.
func exact(t time.Time, zone *time.Location) string {
	return t.In(zone).Format("2006-01-02 15:04:05 MST")
}

// minutes returns a duration as people say it: 14 min, 3 h 5 min, 2 days.
func minutes(d time.Duration) string {
	const day = 24 * time.Hour
	switch d = max(d, 0); {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 2*day:
		return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%d days", int(d/day))
}

// upper returns a text that begins with a letter of ASCII in upper case.
func upper(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// sentence returns a text that is not empty as a sentence.
func sentence(text string) string {
	if text[0] < 0x80 {
		text = upper(text)
	}
	return strings.TrimRight(text, ".") + "."
}
