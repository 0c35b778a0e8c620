// Package outcomes is the group of commands usher outcomes: numbers from outside that conditions of
// rules read.
//
//	put.go   usher outcomes put
//	read.go  Read: with the campaigns and creatives of the platform
//	list.go  usher outcomes ls and show
package outcomes
