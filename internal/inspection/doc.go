// Package inspection finds out what an export holds, without sending it: its format,
// the types of its ids, and where a job would count each row.
//
//	inspection.go  the steps
//	report.go      the result
//	counting.go    counting the rows of all parts
//	rows.go        counting rows up to a limit
//	rejects.go     dropped rows as CSV
//	idtypes.go     the types of ids in a sample, and the profile that fits
//	estimate.go    how many rows a file has
package inspection
