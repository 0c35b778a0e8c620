package alerts

import (
	"fmt"
	"strings"
	"time"

	"usher/internal/readable"
)

// Event is what has happened to an incident.
type Event string

// The events.
const (
	Opened  Event = "opened"
	Grown   Event = "grown" // it is open for a day, and has grown
	Solved  Event = "solved"
	Finding Event = "finding" // of a rule; it has no end
	Summary Event = "summary" // of several messages
)

// Kind is what a message is about.
type Kind string

// The kinds.
const (
	DeadLetters Kind = "dead_letters"
	HeldRun     Kind = "rule_run"
	RuleFinding Kind = "rule_finding"
	RuleBlind   Kind = "rule_blind"
	LateFeed    Kind = "feed_late"
	BlindFeed   Kind = "feed_blind"
	HeldExport  Kind = "feed_held"
	// MembersLapse is about members of a segment that leave it soon.
	MembersLapse Kind = "members_lapse"
	StalledLane  Kind = "lane_stalled"
	SlowSource   Kind = "source_slow"
	WorkerLost   Kind = "worker_lost"

	CampaignWaits Kind = "campaign_waits"
	FullStream    Kind = "stream_full"

	Platform  Kind = "platform_down"
	Operation Kind = "platform_operation"
	Redis     Kind = "redis_down"
	Copies    Kind = "nats_copies"
	Writes    Kind = "nats_writes"
)

// Level is how urgent a message is.
type Level string

// The levels. A fault is sent in quiet hours, too.
const (
	Fault   Level = "fault"
	Warning Level = "warning"
)

// levels are the levels of the kinds.
var levels = map[Kind]Level{StalledLane: Fault, CampaignWaits: Fault, FullStream: Fault, Platform: Fault, Operation: Fault, Redis: Fault, Writes: Fault}

// Message is what people are told about an incident, or a summary of several messages.
type Message struct {
	Event    Event     `json:"event"`
	Incident string    `json:"incident,omitempty"` // its name, the same when it opens and when it is solved
	Kind     Kind      `json:"kind,omitempty"`
	Level    Level     `json:"level,omitempty"`
	Title    string    `json:"title"` // what is wrong, in one line
	Details  []string  `json:"details,omitempty"`
	Since    time.Time `json:"since,omitzero"`
	Until    time.Time `json:"until,omitzero"` // when it was solved
	Count    int64     `json:"count,omitempty"`
	Counted  string    `json:"counted,omitempty"` // what Count counts, in the singular: "dead letter"
	Action   string    `json:"action,omitempty"`  // what to do
	Link     string    `json:"link,omitempty"`    // the page of the console
	Items    []Message `json:"items,omitempty"`   // of a summary
}

// newMessage returns the message that opens an incident.
func newMessage(kind Kind, subject, title string, since time.Time) Message {
	level := levels[kind]
	if level == "" {
		level = Warning
	}
	return Message{Event: Opened, Incident: string(kind) + "/" + subject, Kind: kind, Level: level, Title: title, Since: since.UTC()}
}

// solved returns the message about the end of an incident.
func (m *Message) solved(at time.Time, how string) Message {
	s := Message{Event: Solved, Incident: m.Incident, Kind: m.Kind, Level: m.Level, Title: m.Title, Since: m.Since, Until: at.UTC(), Count: m.Count, Counted: m.Counted, Link: m.Link}
	if how != "" {
		s.Details = []string{how}
	}
	return s
}

// summarize returns one message for several. An incident that has opened and ended among them
// has one line.
func summarize(title string, messages []Message) Message {
	s := Message{Event: Summary, Title: title, Level: Warning}
	ended := map[string]bool{}
	for i := range messages {
		if messages[i].Event == Solved {
			ended[messages[i].key()] = true
		}
	}
	for i := range messages {
		m := messages[i]
		if m.Event != Solved && ended[m.key()] {
			continue
		}
		if m.Level == Fault {
			s.Level = Fault
		}
		s.Items = append(s.Items, m)
	}
	return s
}

// key names one occurrence of an incident.
func (m *Message) key() string { return m.Incident + " " + m.Since.Format(time.RFC3339Nano) }

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
