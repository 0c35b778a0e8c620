// Package store stores the sandbox's state: tables of rows and sets of digests. The state
// is in memory and, if it is opened with a path, in a log on disk that survives a kill -9.
//
// Only Commit changes the state. It appends the changes to the log and then applies them.
// Opening a log applies all of its changes.
//
//	store.go   Store: open, commit, clear, close
//	change.go  Change: one step of the state
//	table.go   Table: rows of one type by key
//	set.go     sets of digests
//	lines.go   Lines: a file of lines that a killed process leaves readable
package store
