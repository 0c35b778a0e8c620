// Package demo implements usher demo: it uploads a generated export, pauses a campaign and
// replays a failed job, and explains each step. All parts run in this process.
//
//	demo.go         the command, the parts, the order of the steps
//	stage.go        the demo's connections to the parts
//	page.go         prints headings, text and tables
//	export.go       writes exports like those of real CRM systems
//	expectation.go  what the upload of such an export must report
//	upload.go       step 1: upload the export
//	pause.go        step 2: pause a campaign
//	replay.go       step 3: a job that fails and is replayed
package demo
