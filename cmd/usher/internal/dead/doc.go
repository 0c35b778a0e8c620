// Package dead implements usher dead: list, watch, show, edit, replay, discard and export dead
// letters.
//
//	dead.go         the group, ls, groups and export
//	letterflags.go  the filter flags, and the letters that they select
//	show.go         show
//	watch.go        watch, as a screen or as lines
//	plan.go         what all plans of a change print
//	edit.go         edit
//	replay.go       replay
//	discard.go      discard
package dead
