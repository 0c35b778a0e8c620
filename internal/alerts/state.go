package alerts

import (
	"encoding/json"
	"slices"
	"time"
)

// stateKey is the key of the alertState in the rules bucket.
const stateKey = "alerts"

// alertState is what alerts have reported, and what waits to be sent. The next leader goes on with
// it.
type alertState struct {
	Seq     uint64    `json:"seq"`     // sequence of the last letter
	Letters time.Time `json:"letters"` // time of the last message about letters
	Held    time.Time `json:"held"`    // time of the last held run
	// Notified is the time of the last message about rules with notify: digest. Reported are the
	// runs that messages have reported and whose notices are still stored.
	Notified time.Time `json:"notified,omitzero"`
	Reported []string  `json:"told,omitempty"`
	TookBack []string  `json:"tookBack,omitempty"` // what rules took back and is reported, while it is stored
	Survey   survey    `json:"survey,omitzero"`
	Away     time.Time `json:"away,omitzero"` // since when copies of the stream of jobs are away

	Open map[string]*incident `json:"open,omitempty"` // by name

	Outbox   []entry              `json:"outbox,omitempty"` // oldest first
	Number   uint64               `json:"number,omitempty"` // of the last entry
	Failures map[string]time.Time `json:"failures,omitempty"`
}

// survey is what was read of the dead letters when it was last decided which causes are gone.
type survey struct {
	At     time.Time `json:"at"`
	Newest uint64    `json:"newest"`
	Total  uint64    `json:"total"`
}

// incident is something that is wrong, until its end.
type incident struct {
	Message Message   `json:"message"`         // that opened it
	Told    time.Time `json:"told"`            // when it was last reported
	Gone    time.Time `json:"gone,omitzero"`   // since when it is gone; it may come back
	Recent  bool      `json:"recent,omitzero"` // it has grown since it was last reported
}

// entry is a message that waits to be sent.
type entry struct {
	Number  uint64   `json:"number"`
	To      []string `json:"to"` // the channels that have not sent it
	Held    bool     `json:"held,omitempty"`
	Refused int      `json:"refused,omitempty"` // how many times a channel has refused it
	Message Message  `json:"message"`
}

// Bounds of the state, which is one value in a bucket.
const (
	maxOpen   = 300     // incidents
	maxOutbox = 256_000 // bytes of JSON
)

// open reports an incident that was not open.
func (s *alertState) open(m Message, now time.Time) {
	if s.Open == nil {
		s.Open = map[string]*incident{}
	}
	known := m
	known.Details, known.Action = nil, ""
	s.Open[m.Incident] = &incident{Message: known, Told: now}
	s.queue(m)
}

// end reports the end of an incident that is open.
func (s *alertState) end(name string, at time.Time, how string) {
	s.queue(s.Open[name].Message.solved(at, how))
	delete(s.Open, name)
}

// names returns the names of the open incidents of a kind, in order.
func (s *alertState) names(kind Kind) []string {
	var names []string
	for name, i := range s.Open {
		if i.Message.Kind == kind {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (s *alertState) queue(m Message) {
	s.Number++
	s.Outbox = append(s.Outbox, entry{Number: s.Number, Message: m})
}

// address gives the channels to new messages, and holds those that wait for the end of quiet
// hours. Messages that do not fit are dropped, the oldest first.
func (s *alertState) address(channels []string, quiet bool) (dropped int) {
	for i := range s.Outbox {
		e := &s.Outbox[i]
		if e.To == nil {
			e.To = slices.Clone(channels)
		}
		if quiet && e.Message.Level != Fault {
			e.Held = true
		}
	}
	for len(s.Outbox) > 1 && size(s.Outbox) > maxOutbox {
		s.Outbox = s.Outbox[1:]
		dropped++
	}
	return dropped
}

// size returns the length of a value as JSON.
func size(v any) int {
	data, _ := json.Marshal(v) //nolint:errchkjson // states have only texts, numbers and valid times
	return len(data)
}

// sent records that a channel has sent entries, or will never send them.
func (s *alertState) sent(channel string, numbers []uint64) {
	for i := range s.Outbox {
		if e := &s.Outbox[i]; slices.Contains(numbers, e.Number) {
			e.To = slices.DeleteFunc(e.To, func(to string) bool { return to == channel })
		}
	}
	s.Outbox = slices.DeleteFunc(s.Outbox, func(e entry) bool { return len(e.To) == 0 })
}

// maxRefusals is how many times a message is sent that is refused for its content.
const maxRefusals = 3

// refused records that a channel has refused entries for their content.
func (s *alertState) refused(channel string, numbers []uint64) {
	var hopeless []uint64
	for i := range s.Outbox {
		if e := &s.Outbox[i]; slices.Contains(numbers, e.Number) {
			if e.Refused++; e.Refused >= maxRefusals {
				hopeless = append(hopeless, e.Number)
			}
		}
	}
	s.sent(channel, hopeless)
}
