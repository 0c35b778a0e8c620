// Package suppress is the group of commands usher suppress: the managed suppression list,
// whose ids no job uploads.
//
//	suppress.go  the group, and usher suppress ls and rebuild
//	change.go    usher suppress add and remove
package suppress
