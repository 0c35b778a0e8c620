// Package backup implements usher backup and usher restore.
//
//	backup.go    usher backup
//	restore.go   usher restore
//	progress.go  progress, places, and errors of missing permissions
package backup
