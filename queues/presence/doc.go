// Package presence answers which workers live, what they serve and see, and which of them leads
// a task that only one worker may do at a time.
//
//	members.go      Presence: beats every 3 s, counts the workers, and proves that NATS takes writes
//	leader.go       Task: what one worker does at a time, and who is its leader
//	answer.go       Answer: what a worker says of itself when it is asked
//	failing.go      Failing: an operation of the platform that fails, and what waits for it
//	differences.go  which workers have other files than the leader of a task
//	heard.go        what consoles have heard of the workers in the last day
//
// All workers share one value, the members: each beat adds the worker's time to it, removes those
// that have not beaten for 10 s, which are lost, and takes the tasks that nobody leads. The value is
// changed with compare-and-set, so that each task has one leader. A leader that cannot beat stops its
// tasks after 6 s, before another worker takes them. A worker that stops leaves at once. One that is
// lost is named until it is back, or another one was started in its place.
//
// The members say only that a worker lives. What it serves and sees is true for a moment, and its
// leases and its uploads must be known exactly: a reader asks, and each worker answers for itself
// with an Answer. That works while NATS takes no writes, too.
//
// Workers were once counted in Redis as well, for one purpose: while Redis is lost, each worker
// limits its calls to its share of the rate. The members give that number, and still do while
// Redis is lost. If NATS is lost as well, the last number stays. In Redis is only a probe that
// finds out whether it takes writes.
//
// Nothing on the path of a job waits for a leader. Leaders publish the jobs of schedules and
// feeds, whose ids make sure that a job that two workers publish runs once.
package presence
