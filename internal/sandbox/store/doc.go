// Package store stores the sandbox's state: tables of rows and sets of digests. The state
// is in memory and, if it is opened with a path, in a log on disk that survives a kill -9.
//
// Only Commit changes the state. It appends the changes to the log and then applies them.
// Opening a log applies all of its changes.
//
//	store.go        Store: open, commit, snapshot, close
//	change.go       Change: one step of the state
//	table.go        Table: rows of one type by key
//	set.go          sets of digests, which take 19 to 23 bytes per digest
//	log.go          the log: records, replay, append
//	rewrite.go      replaces the log by a snapshot
package store
