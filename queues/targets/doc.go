// Package targets keeps the order of the jobs on each segment and campaign target: adds
// run beside adds; remove, replace and clear run alone and in order. The order is the stream
// sequence of a job's first publish.
//
//	order.go     Targets: what must run before a job
//	standing.go  Standing: where a job stands, for somebody who looks
//	index.go     Index: the places of waiting messages by target, and the targets of the newest ones
//	summary.go   Summary: what a message says of its place
//	read.go      reads the stream into an Index
//	backlog.go   Backlog: the messages of some kinds on a target, in order
//	register.go  the jobs on a target that are not on the stream
package targets
