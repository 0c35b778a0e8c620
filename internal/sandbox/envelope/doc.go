// Package envelope writes the bodies of the platform's answers: failures with their codes,
// and successes with a record or a long list.
//
//	failure.go  Failure, the error that becomes an answer, and its codes
//	success.go  Success, and Listing, which is written record by record
//	parse.go    ParseJSON, which fails with a Failure
package envelope
