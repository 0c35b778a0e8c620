// Package api implements usher api: a command for each operation of the platform, generated
// from rtb's table of operations.
//
//	command.go  the tree of commands, their help and examples
//	input.go    the fields of an operation as flags and arguments
//	example.go  values for the examples in the help
//	secret.go   passwords and card numbers: from files, variables, the terminal
//	body.go     the JSON body: --body and the flags that add to it
//	digests.go  checks of uploaded digest files
//	call.go     the call: fields, login, hints after an error
//	output.go   the response: JSON, a record, a list, CSV
//	sheet.go    a list of records as rows and columns
//	chart.go    a column drawn as bars
package api
