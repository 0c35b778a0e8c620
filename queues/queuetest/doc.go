// Package queuetest declares usher's streams and buckets on NATS for tests of queues and of the packages
// that build on it.
//
//	queuetest.go  Broker: streams and buckets for a test, and workers on them; Slot: takes jobs
//	replica.go    Replica: a copy of a stream that lags behind
//	letters.go    lists and replays dead letters
//	example.go    a queue for an example, which has no testing.TB
package queuetest
