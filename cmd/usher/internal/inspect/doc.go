// Package inspect implements the commands that read device ids and send nothing: usher inspect,
// which reports on an export, and usher hash, which writes the digests of ids.
//
//	command.go      usher inspect and its flags
//	commands.go     the commands that upload the export
//	print.go        the report for people
//	rejects.go      --rejects: where dropped rows are written
//	rowprogress.go  progress while rows are read
//	hash.go         usher hash
package inspect
