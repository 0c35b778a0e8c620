// Package inspection finds out what an export holds, without sending it: its format,
// the types of its ids, and where a job would count each row.
//
//	inspection.go  the steps
//	report.go      the result
//	counting.go    counting the rows of all parts, up to a limit; dropped rows as CSV
//	idtypes.go     the types of ids in a sample, and the profile that fits
package inspection
