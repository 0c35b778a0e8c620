// Package outcomes is the group of commands usher outcomes: numbers from outside that conditions of
// rules read.
//
//	put.go   usher outcomes put
//	list.go  usher outcomes ls and show
package outcomes
