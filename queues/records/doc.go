// Package records keeps the records of jobs: their state, who runs them, how far they are,
// and which events are still to be published. Package queues changes them; package status
// shows them.
//
//	records.go    Records: reads and changes records; keys of the bucket
//	waiting.go    finds the message of a job that has no record
//	job.go        Job: a record with its internal state; Summary: what lists need of it
//	execution.go  Execution: who runs a job or a part, and how far it is
//	begin.go      the record of a new run
//	claim.go      compares a message with the record of its job
//	ending.go     Ending: cancelled jobs, and jobs that end because a part has failed
//	parts.go      Part: a part of a cut job; the sum of a job's parts
//	outbox.go     publishes the events of a record that NATS may not have
package records
