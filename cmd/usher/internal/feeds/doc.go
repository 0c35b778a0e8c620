// Package feeds is the group of commands usher feeds: places that are watched for new exports.
//
//	command.go  the group, and what its commands work with
//	check.go    usher feeds check
//	view.go     a feed as people see it; usher feeds ls and show
//	put.go      usher feeds put
//	act.go      usher feeds run, approve, reject, pause and resume
package feeds
