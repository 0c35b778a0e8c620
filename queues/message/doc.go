// Package message reads the messages of the stream of jobs, which are input from strangers:
// a job, possibly in a CloudEvent, with headers.
//
//	message.go     Reader: checks a message by its kind's schema, and hashes its inline ids
//	headers.go     headers of messages; only usher's own subjects may have usher's
//	cloudevent.go  jobs inside CloudEvents
//	redact.go      a job without raw ids and the query of its URL
package message
