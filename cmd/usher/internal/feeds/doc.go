// Package feeds is the group of commands usher feeds: places that are watched for new exports.
//
//	command.go  the group
//	check.go    usher feeds check; targets.go: whether the targets of feeds exist
//	view.go     a feed as people see it; usher feeds ls and show
//	act.go      usher feeds run, approve, reject, pause and resume
package feeds
