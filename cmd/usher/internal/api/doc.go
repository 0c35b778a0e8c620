// Package api implements usher api: a command for each operation of the platform, generated
// from rtb's table of operations.
//
//	command.go  the tree of commands and their help
//	names.go    further names of operations, and pointers to those with another name
//	input.go    the fields of an operation as flags and arguments
//	words.go    the words that the shell completes
//	example.go  examples that run as printed, and their values
//	secret.go   passwords and card numbers: from files, variables, the terminal
//	body.go     the JSON body: --body and the flags that add to it
//	comments.go a body without its comments
//	unwrap.go   what a read printed with --json as a body
//	shape.go    the types and the names in a body, by JSON path
//	template.go --body-template
//	digests.go  checks of uploaded digest files
//	call.go     the call: fields, login, warnings
//	failure.go  the error of a call, and the failed answer as JSON
//	doubt.go    what a call may have done if its answer was lost, and how to look
//	output.go   the response: JSON, a record, a list, CSV
//	lists.go    --search, --limit and --fields
//	sheet.go    a list of records as rows and columns
//	chart.go    a column drawn as bars
package api
