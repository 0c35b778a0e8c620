// Package reload announces what a worker reads again while it runs: logins, certificates, users
// and tokens, when their files change and on SIGHUP.
//
// Whoever uses such a value reads it at each use: each login, each connection, each request.
// So a change is effective even where changes of files are not reported, such as on NFS. This
// package logs the change, or why a file cannot be used, at once and not at the next use.
//
//	watcher.go    Watcher: waits for changes and SIGHUP, and logs what has changed
//	files.go      the files that the configuration names
//	directory.go  notifications of changed folders
package reload
