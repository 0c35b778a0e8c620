// Package locking takes the two locks under which a campaign is changed, and says what must
// hold immediately before a change.
//
//	locks.go   Locks: the Redis lock and the platform's lock of one delivery
//	switch.go  StoppedError: the stop switch
//	lost.go    what a lost response means
//
// The Redis lock campaign/<code> excludes other workers of usher. The platform's lock
// excludes other logins; it expires after 5 minutes.
package locking
