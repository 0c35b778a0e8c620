// Package records prints jobs' records and what belongs to them.
//
//	record.go      a whole record
//	understood.go  how a job's export was read
//	outcome.go     how a job ended
//	tally.go       where every row went
//	samples.go     masked samples of dropped rows
//	edit.go        how a dead letter was edited
//	evaluation.go  what a run of rules decided, in short
//	remark.go      remarks for lists
package records
