// Package records prints the records of jobs, and their parts.
//
//	record.go      a whole record
//	understood.go  how a job's export was read
//	outcome.go     how a job ended
//	tally.go       the outcome of every row
//	samples.go     masked samples of dropped rows
//	edit.go        how a dead letter was edited
//	evaluation.go  a summary of a run of rules
//	remark.go      remarks for lists
package records
