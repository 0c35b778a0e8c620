package alerts

import "time"

// Event is what has happened to an incident.
type Event string

// The events.
const (
	Opened  Event = "opened"
	Grown   Event = "grown" // it is open for a day, and has grown
	Solved  Event = "solved"
	Finding Event = "finding" // of a rule with notify; it has no end
	Summary Event = "summary" // of several messages
)

// Kind is what a message is about.
type Kind string

// The kinds.
const (
	DeadLetters Kind = "dead_letters"
	HeldRun     Kind = "rule_run"
	RuleFinding Kind = "rule_finding"
	LateFeed    Kind = "feed_late"
	HeldExport  Kind = "feed_held"
	StalledLane Kind = "lane_stalled"
	Platform    Kind = "platform_down"
	Redis       Kind = "redis_down"
	Copies      Kind = "nats_copies"
	Writes      Kind = "nats_writes"
)

// Level is how urgent a message is.
type Level string

// The levels. A fault is sent in quiet hours, too.
const (
	Fault   Level = "fault"
	Warning Level = "warning"
)

// levels are the levels of the kinds.
var levels = map[Kind]Level{StalledLane: Fault, Platform: Fault, Redis: Fault, Writes: Fault}

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
