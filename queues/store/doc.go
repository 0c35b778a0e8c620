// Package store is what usher keeps in NATS and where: the names of streams,
// subjects and buckets, and buckets of JSON values with compare-and-set.
//
//	store.go     Store: one connection, its JetStream and its buckets
//	names.go     names of streams, subjects, buckets and key tokens
//	bucket.go    Bucket: get, put, compare-and-set, delete
//	oversize.go  values that NATS does not take because its max_payload was lowered
//	each.go      Bucket: visit and watch entries
//	messages.go  visits messages of a stream; many.go: many for each request
//	publish.go   publishes a message, also if another process does so at the same time;
//	             atomic.go: all messages or none
//	login.go     why there is no connection to NATS
//	leader.go    reads single messages of a stream
//	pack.go      compression of long values
//	retry.go     repeats a request until it has a response, or a call until it succeeds; a limit on the
//	             time without a response
package store
