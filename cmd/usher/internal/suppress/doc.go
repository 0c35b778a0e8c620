// Package suppress is the group of commands usher suppress: the managed suppression list,
// whose ids no job uploads.
//
//	suppress.go  the group, usher suppress ls, and usher repair suppression
//	change.go    usher suppress add and remove
package suppress
