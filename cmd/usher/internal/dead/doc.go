// Package dead implements usher dead: list, watch, show, edit, replay, discard and export dead
// letters.
//
//	dead.go         the group, ls and groups
//	watch.go        watch, as a screen or as lines
//	letterflags.go  the filter flags
//	plan.go         the plan and the question before a change
//	show.go         show
//	edit.go         edit
//	replay.go       replay
//	discard.go      discard
//	export.go       export
package dead
