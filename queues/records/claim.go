package records

import (
	"usher"
	"usher/queues/message"
)

// Claim is what a message means for the record of its job.
type Claim int

// The claims of messages.
const (
	Superfluous Claim = iota // a second message of a run, or a message of an ended run
	NewJob                   // there is no record yet
	Unfinished               // the message owns the run, which has not ended: it waits, runs, or is to be tried again
	NextRun                  // the message starts the next run
	TooEarly                 // the message starts the next run, but this run has not ended
	OtherJob                 // the message is of another job with the same id
)

// ClaimOf returns what a message means for the record. found is whether there is a record.
func (j *Job) ClaimOf(m *message.Message, found bool) Claim {
	switch {
	case !found:
		return NewJob
	case m.Run > j.Run && j.State.Ended():
		return NextRun
	case m.Run > j.Run:
		return TooEarly // a letter is written before its job's record ends
	case m.Run == j.Run && m.Seq == j.Seq && j.replayQueued():
		return NextRun // the replay has recorded it
	case m.Run == j.Run && m.Seq == j.Seq && !j.State.Ended():
		return Unfinished
	case m.Run == 1 && m.Seq != j.Seq && m.Seq != j.Order && m.Sum != j.Sum && m.Sum != j.First:
		return OtherJob
	default:
		return Superfluous
	}
}

// replayQueued reports whether no worker has taken the run of a replay yet.
func (j *Job) replayQueued() bool {
	return j.Run > 1 && j.State == usher.Queued && j.Attempts == 0 && j.Crashes == 0
}
