// Package api implements usher api: a command for each operation of the platform, generated
// from rtb's table of operations.
//
//	command.go  the tree of commands, their help, and the words that the shell completes
//	input.go    the fields of an operation as flags and arguments
//	secret.go   passwords and card numbers: from files, variables, the terminal
//	body.go     the JSON body: --body, without its comments, and the flags that add to it
//	shape.go    the types and the names in a body, by JSON path
//	example.go  examples that run as printed, and --body-template
//	call.go     the call: fields, files, login, warnings
//	failure.go  the error of a call, and what it may have done if its answer was lost
//	output.go   the response: JSON, a record, a list, CSV
//	lists.go    --search, --limit and --fields
//	sheet.go    a list of records as rows and columns
//	chart.go    a column drawn as bars
package api
