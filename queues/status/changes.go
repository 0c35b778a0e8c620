package status

import (
	"context"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"
)

// Changed is a kind of change.
type Changed string

// The kinds of changes that Changes announces.
const (
	JobChanged    Changed = "job" // its record, or that of a part of it
	LetterWritten Changed = "letter"
	AuditWritten  Changed = "audit"
	RulesChanged  Changed = "rules" // a run, a memory, the stop switch
)

// Changes calls changed with each change, and the job's id for a change of a job, until
// ctx ends. It is a hint to reload data: changes are missed while NATS is unavailable,
// and a replay that removes a letter is announced only as a change of the job. changed
// must be quick and safe for concurrent calls.
func (r *Reader) Changes(ctx context.Context, changed func(c Changed, id string)) error {
	jobs := "$KV." + r.store.StateBucket() + "."
	for subject, handle := range map[string]func(subject string){
		jobs + "jobs.>": func(s string) { changed(JobChanged, strings.TrimPrefix(s, jobs+"jobs.")) },
		jobs + "parts.>": func(s string) {
			id := strings.TrimPrefix(s, jobs+"parts.")
			changed(JobChanged, id[:max(strings.LastIndexByte(id, '.'), 0)])
		},
		r.store.Subject("usher.dead.>"):       func(string) { changed(LetterWritten, "") },
		r.store.Subject("usher.audit.>"):      func(string) { changed(AuditWritten, "") },
		"$KV." + r.store.RulesBucket() + ".>": func(string) { changed(RulesChanged, "") },
	} {
		subscription, err := r.store.Conn.Subscribe(subject, func(m *nats.Msg) { handle(m.Subject) })
		if err != nil {
			return fmt.Errorf("listen to changes on %s: %w", subject, err)
		}
		defer func() { _ = subscription.Unsubscribe() }()
	}
	<-ctx.Done()
	return nil
}
