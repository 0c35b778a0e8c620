// Package backup implements usher backup and usher restore.
//
//	backup.go    usher backup
//	restore.go   usher restore
//	progress.go  progress, the session, and places
package backup
