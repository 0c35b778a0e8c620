// Package store holds the sandbox's state: tables of rows and sets of digests,
// in memory and, if it is opened with a path, in a log on disk that survives a
// kill -9.
//
// State changes only through Commit, which appends the changes to the log and
// then applies them. Opening a log applies its changes again.
//
//	store.go        Store: open, commit, snapshot, close
//	change.go       Change: one step of the state
//	table.go        Table: rows of one type by key
//	set.go          sets of digests, 19 to 23 bytes a digest
//	fingerprint.go  Fingerprint: count, sum and exclusive or of a set
//	log.go          the log: records, replay, append
//	rewrite.go      the log's replacement by a snapshot
package store
