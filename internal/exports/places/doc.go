// Package places opens the files of exports where they lie: in directories, on https
// servers and in buckets. It opens nothing outside the allowed places.
//
//	access.go     Access: opens, lists and probes files in the allowed places
//	location.go   Location: what the URL of a source names; names with a *
//	allowed.go    Allowed: the allowed places; opening a path in one, whatever its symlinks
//	addresses.go  the addresses that https may connect to
//	folder.go     the files of a folder
//	move.go       moves files to another place
//	draft.go      Draft: a file of a watched place while it is written
//	version.go    the version of an export; Watch: the exports of a place
//	file.go       File: an open file, its bytes at any offset, and the stamp of its state, which
//	              may have an inode: inode_unix.go, inode_other.go; Input: a range of it as an
//	              io.Reader
//	memory.go     a file in memory
//	ranged.go     a file over a network: read by ranges, with retries in place
//	feed.go       one response, read ahead
//	meter.go      Meter: how fast a source delivers while usher waits for it
//	web.go        https servers, and a file on one
//	buckets.go    object stores, and an object in one; package cloud has their clients
//	origin.go     Origin: the name of a source in errors; what to do about them
package places
