package message

import (
	"fmt"
	"regexp"
)

// reserved matches the ids that usher gives to jobs itself: to those without an id, to the ticks
// of rules and the jobs of these runs, to the jobs of feeds, and to the mirrors of a
// device.forget. With such an id, a publisher could keep usher's own job from running.
var reserved = regexp.MustCompile(`^(seq-[0-9]+|rule-.+-[0-9]{8}T[0-9]{4}Z(\..+)?|feed-.+-[g-v]{24}|forget-[0-9a-f]{24})$`)

// IsReserved reports whether usher gives such ids to jobs itself. Publishers may not use them.
func IsReserved(id string) bool { return reserved.MatchString(id) }

// refuseReserved refuses a publisher's message with an id that is reserved, unless it has that id
// from its own sequence. The message then has no id, so that nothing is recorded under it.
func (m *Message) refuseReserved(body []byte) *Message {
	if !IsReserved(m.ID) || m.ID == fmt.Sprintf("seq-%d", m.Seq) && !m.Named {
		return m
	}
	id := m.ID
	m.ID, m.Named = "", false
	return m.refuse(body, "the id "+id+" is one that usher gives to jobs itself", "give the job another id, or none")
}
