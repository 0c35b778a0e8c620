package queues

import (
	"context"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"
)

// Changed is what has changed.
type Changed string

// The changes that Changes tells of.
const (
	JobChanged    Changed = "job" // its record, or that of a part of it
	LetterWritten Changed = "letter"
	AuditWritten  Changed = "audit"
	RulesChanged  Changed = "rules" // a run, a memory, the stop switch
)

// Changes calls changed with each change, and the job's id where it is one
// job's, until ctx ends. It is for looking again at what is shown: while NATS is
// away changes are missed, and a replay that removes a letter is told as the
// job's alone. changed must be quick, and is called by several goroutines.
func (q *Queue) Changes(ctx context.Context, changed func(c Changed, id string)) error {
	jobs := "$KV." + q.names.StateBucket() + "."
	for subject, hear := range map[string]func(subject string){
		jobs + "jobs.>": func(s string) { changed(JobChanged, strings.TrimPrefix(s, jobs+"jobs.")) },
		jobs + "parts.>": func(s string) {
			id := strings.TrimPrefix(s, jobs+"parts.")
			changed(JobChanged, id[:max(strings.LastIndexByte(id, '.'), 0)])
		},
		q.names.Subject("usher.dead.>"):       func(string) { changed(LetterWritten, "") },
		q.names.Subject("usher.audit.>"):      func(string) { changed(AuditWritten, "") },
		"$KV." + q.names.RulesBucket() + ".>": func(string) { changed(RulesChanged, "") },
	} {
		subscription, err := q.nc.Subscribe(subject, func(m *nats.Msg) { hear(m.Subject) })
		if err != nil {
			return fmt.Errorf("listen to changes on %s: %w", subject, err)
		}
		defer func() { _ = subscription.Unsubscribe() }()
	}
	<-ctx.Done()
	return nil
}
