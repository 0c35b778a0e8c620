// Package files keeps the configured rule files in memory, reloads those that
// change, and announces them to the other workers.
//
//	files.go     Files: open, reload
//	announce.go  announcements
package files
