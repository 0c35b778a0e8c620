// Package places opens the files of exports where they lie: in directories, on https
// servers and in buckets. It opens nothing outside the allowed places.
//
//	access.go     Access: opens, lists and probes files in the allowed places
//	location.go   Location: what the URL of a source names; url.go: of a server
//	glob.go       names with a *
//	allowed.go    Allowed: the allowed places
//	walk.go       opening a path in an allowed directory, whatever its symlinks
//	addresses.go  the addresses that https may connect to
//	folder.go     the files of a folder
//	move.go       moves files to another place
//	version.go    the version of an export; Watch: the exports of a place
//	file.go       File: an open file; input.go: a range of it as an io.Reader
//	content.go    the bytes of a file at any offset, and the stamp of its state
//	              which may have an inode: inode_unix.go, inode_other.go
//	ranged.go     a file over a network: read by ranges, with retries in place
//	feed.go       one response, read ahead; patience.go: how long to wait and retry
//	web.go        https servers; webfile.go: a file on one
//	buckets.go    object stores; object.go: an object in one
//	probe.go      how a remote place responds
//	origin.go     Origin: the name of a source in errors; what to do about them
package places
