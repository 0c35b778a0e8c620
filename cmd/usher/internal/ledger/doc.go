// Package ledger is the group of commands usher ledger: what usher believes that targets
// hold.
//
//	command.go   the group, and what its commands share
//	show.go      usher ledger ls and show
//	digests.go   usher ledger export
//	export.go    reads an export as a worker reads it
//	diff.go      usher ledger diff
//	verify.go    usher ledger verify
//	adopt.go     usher ledger adopt and drop
//	rollback.go  usher ledger rollback
package ledger
