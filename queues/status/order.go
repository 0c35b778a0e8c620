package status

import (
	"context"
	"fmt"
	"time"

	"usher"
	"usher/queues/records"
	"usher/queues/targets"
)

// A job that waits for others on its target says which one is before it, where it stands and how
// long the jobs before it take. Nothing of that is stored, because it changes with each job that
// ends: the index of the messages on the stream has it, whether the job has a record or not.

// turns finds out which jobs on their targets jobs wait for.
type turns struct {
	reader *Reader
	jobs   []job

	onStream  map[uint64]string       // the ids of jobs by the sequences of their messages
	others    map[string]*records.Job // by id
	registers map[string]*targets.Registered
	left      int // how many more reads are made for these jobs
	looked    bool
}

// maxTurnReads is how many messages, records and registers are read for the jobs of one list. What a
// list needs more is left out.
const maxTurnReads = 64

func turnsOf(r *Reader, jobs []job, onStream map[uint64]string) turns {
	return turns{reader: r, jobs: jobs, onStream: onStream, left: maxTurnReads}
}

// mayDecide reports whether a job that no worker has waits for nothing but its turn on its target.
func (t *turns) mayDecide(j *job) bool {
	returned := j.NotBefore != nil && t.reader.records.Now().Before(*j.NotBefore)
	return targets.Indexed(j.Record.Kind) && j.Holder == "" && j.Ending == nil && j.Record.Retry == nil && !returned
}

// look reads what is needed for the first job that is asked for.
func (t *turns) look(ctx context.Context) error {
	if t.looked {
		return nil
	}
	t.looked, t.others, t.registers = true, map[string]*records.Job{}, map[string]*targets.Registered{}
	read := t.onStream != nil
	if !read {
		t.onStream = map[uint64]string{}
	}
	for i := range t.jobs {
		j := &t.jobs[i].Job
		t.others[j.Record.ID] = j
		if !read && !j.State.Ended() {
			t.onStream[j.Seq] = j.Record.ID
		}
	}
	return t.reader.targets.Look(ctx)
}

// waitsFor sets what a job waits for, and explains it. It returns "" if the job waits for no other.
func (t *turns) waitsFor(ctx context.Context, j *job) (why string, err error) {
	if err := t.look(ctx); err != nil {
		return "", err
	}
	next, s, err := t.next(ctx, j)
	if err != nil {
		return "", err
	}
	target, kind := j.Target(), j.Record.Kind
	if targets.NewestFirst(kind) {
		if s.Ahead == 0 {
			return "", nil
		}
		j.Record.WaitsFor = &usher.WaitsFor{Job: next, Position: s.Ahead + 1}
		return fmt.Sprintf("waits for %s on %s, which supersedes it if it sets the same creatives", named("the newer job", next, "a newer job"), target), nil
	}
	told := j.Record.Why != nil && *j.Record.Why != usher.WaitsForSlot
	if s.Ahead == 0 && !told {
		return "", nil
	}
	register, err := t.register(ctx, target)
	if err != nil {
		return "", err
	}
	cut, err := t.cutBefore(ctx, register, j)
	if err != nil {
		return "", err
	}
	ahead := s.Ahead + len(cut)
	if ahead == 0 {
		return "", nil
	}
	front := ""
	if s.Ahead > 0 {
		front, _, err = t.idAt(ctx, j, s.Front(t.reader.targets, kind))
	} else {
		next = cut[len(cut)-1]
	}
	if len(cut) > 0 {
		front = cut[0]
	}
	if err != nil {
		return "", err
	}
	j.Record.WaitsFor = &usher.WaitsFor{Job: next, Position: ahead + 1}
	why = fmt.Sprintf("waits for %s on %s: %s in its queue", named("job", next, "another job"), target, ordinal(ahead+1))
	if len(cut) == 0 && register != nil {
		if mean, known := register.Mean(t.reader.targets, kind, s); known {
			return why + "; " + takes(mean, ahead), nil
		}
	}
	return t.addStart(ctx, why, front, next)
}

// next returns the job that a job waits for of those that are on the stream, and where the job
// stands. The id is "" if it was not looked up.
func (t *turns) next(ctx context.Context, j *job) (id string, s targets.Standing, err error) {
	order := t.reader.targets
	for s = order.StandingOf(&j.Job); s.Ahead > 0; s = s.Behind(order, &j.Job) {
		id, gone, err := t.idAt(ctx, j, s.Next)
		if err != nil {
			return "", s, err
		}
		if gone {
			s.Forget(order, j.Record.Kind)
			continue
		}
		if id == "" {
			return "", s, nil
		}
		other, err := t.other(ctx, id)
		if err != nil {
			return "", s, err
		}
		ended := other != nil && other.State.Ended() && other.Seq == s.Next.Seq
		returned := other != nil && targets.NewestFirst(j.Record.Kind) && other.Holder == "" &&
			other.NotBefore != nil && t.reader.records.Now().Before(*other.NotBefore)
		if id != j.Record.ID && !ended && !returned {
			return id, s, nil
		}
	}
	return "", s, nil
}

// idAt returns the id of the job of the message at a place. It returns "" if it was not looked up,
// or there is no such message.
func (t *turns) idAt(ctx context.Context, j *job, p targets.Place) (id string, gone bool, err error) {
	if id, known := t.onStream[p.Seq]; known {
		return id, false, nil
	}
	if t.left == 0 {
		return "", false, nil
	}
	t.left--
	m, err := t.reader.targets.Backlog(j.Record.Kind).Message(ctx, p)
	if err != nil || m == nil || m.Invalid != nil {
		return "", err == nil, err
	}
	t.onStream[p.Seq] = m.ID
	return m.ID, false, nil
}

// other returns the record of a job; nil if it has none or was not looked up.
func (t *turns) other(ctx context.Context, id string) (*records.Job, error) {
	if other, known := t.others[id]; known {
		return other, nil
	}
	if t.left == 0 {
		return nil, nil
	}
	t.left--
	j, _, found, err := t.reader.records.Job(ctx, id)
	if err != nil {
		return nil, err
	}
	t.others[id] = nil
	if found {
		t.others[id] = &j
	}
	return t.others[id], nil
}

// register returns the register of a target; nil if it was not looked up.
func (t *turns) register(ctx context.Context, target string) (*targets.Registered, error) {
	if r, known := t.registers[target]; known || t.left == 0 {
		return r, nil
	}
	t.left--
	r, err := t.reader.targets.Registered(ctx, target)
	if err == nil {
		t.registers[target] = r
	}
	return r, err
}

// cutBefore returns the jobs in a register that a job waits for and that are not on the stream
// before it.
func (t *turns) cutBefore(ctx context.Context, r *targets.Registered, j *job) (ids []string, err error) {
	if r == nil {
		return nil, nil
	}
	for _, id := range r.Before(t.reader.targets, &j.Job) {
		other, err := t.other(ctx, id)
		if err != nil {
			return nil, err
		}
		if other != nil && !other.State.Ended() {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// addStart adds since when the job in front runs.
func (t *turns) addStart(ctx context.Context, why, front, next string) (string, error) {
	if front == "" {
		return why, nil
	}
	other, err := t.other(ctx, front)
	if err != nil || other == nil || other.State != usher.Running || other.Record.Started == nil {
		return why, err
	}
	which := "the first in it"
	if front == next {
		which = "that one"
	}
	return fmt.Sprintf("%s; %s has run since %s", why, which, other.Record.Started.UTC().Format(time.RFC3339)), nil
}

// named names a job, or says what is known without its id.
func named(what, id, unnamed string) string {
	if id == "" {
		return unnamed
	}
	return what + " " + id
}

// ordinal returns a position as in "third in its queue".
func ordinal(n int) string {
	words := []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}
	if n <= len(words) {
		return words[n-1]
	}
	return fmt.Sprintf("number %d", n)
}

// takes says how long the jobs before a job take.
func takes(mean time.Duration, jobs int) string {
	about := "less than 1 s"
	switch seconds := mean.Seconds(); {
	case seconds >= 100*60:
		about = fmt.Sprintf("about %.0f h", mean.Hours())
	case seconds >= 100:
		about = fmt.Sprintf("about %.0f min", mean.Minutes())
	case seconds >= 1:
		about = fmt.Sprintf("about %.0f s", seconds)
	}
	if jobs == 1 {
		return "jobs like that one take " + about
	}
	return fmt.Sprintf("the jobs before it take %s each", about)
}
