// Package inspect implements usher inspect: it reports on an export and sends nothing.
//
//	command.go      the command and its flags
//	commands.go     the commands that upload the export
//	print.go        the report for people
//	rejects.go      --rejects: where dropped rows are written
//	rowprogress.go  progress while rows are read
package inspect
