// Package starter implements usher init: it writes a configuration, a feed and a rule file to
// begin with, then runs usher doctor.
//
//	command.go  the command: what it asks, and what it writes
//	files.go    the files
package starter
