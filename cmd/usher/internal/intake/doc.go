// Package intake serves jobs over HTTP at intake.listen. It also has the command usher
// intake.
//
//	server.go   the server and its TLS
//	command.go  usher intake token
//	file.go     appends lines to a token file
package intake
