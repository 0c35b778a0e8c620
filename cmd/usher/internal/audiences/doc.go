// Package audiences is the group of commands usher audiences: the segments and campaign targets that
// usher knows, and how many members they have in common.
//
//	command.go  the group, and what its commands share
//	list.go     usher audiences ls and show
//	overlap.go  usher audiences overlap
package audiences
