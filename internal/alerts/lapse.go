package alerts

import (
	"context"
	"net/url"

	"usher/internal/ledger"
	"usher/queues/heads"
)

// findLapsing finds segments whose members lapse soon, and those of which none do any more.
func (d *detector) findLapsing(ctx context.Context, s *alertState, _ bool) error {
	list, err := heads.In(d.queue.Store()).Lapsing(ctx)
	if err != nil {
		return err
	}
	present := map[string]bool{}
	for i := range list {
		m := d.lapseMessage(&list[i])
		if present[m.Incident] = true; s.Open[m.Incident] == nil && len(s.Open) < maxOpen {
			s.open(m, d.now())
		}
	}
	for _, name := range s.names(MembersLapse) {
		if !present[name] {
			s.end(name, d.now(), "")
		}
	}
	return nil
}

// lapseMessage returns the message about a segment whose members lapse soon.
func (d *detector) lapseMessage(l *ledger.Lapsing) Message {
	m := newMessage(MembersLapse, l.Key(), "Members of "+l.Name+" lapse: "+l.Says(), l.Since)
	m.Count, m.Counted = l.Count, "member"
	m.Action = "Mirror it more often, or with a greater refreshDays; look whether its feed has taken an export lately." + d.command("usher ledger ls, usher feeds ls")
	m.Link = d.page("/audiences/" + url.PathEscape("segment "+l.ID()))
	return m
}
