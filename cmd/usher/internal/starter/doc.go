// Package starter implements what one runs before the first worker: usher init, which writes a
// configuration, a feed and a rule file to begin with and runs usher doctor, and usher migrate,
// which declares streams, consumers and buckets.
//
//	command.go  usher init: what it asks, and what it writes
//	files.go    the files
//	migrate.go  usher migrate
package starter
