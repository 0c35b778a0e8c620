// Package demo is usher demo: the main job from end to end in one process.
//
//	demo.go    the command, the order of the steps, the folder
//	stage.go   NATS and the platform as a publisher sees them
//	page.go    what is printed
//	export.go  the export that is made
//	books.go   what the export holds, counted without usher's code
//	upload.go  step 1: upload the export
//	pause.go   step 2: pause a campaign
//	replay.go  step 3: a job that fails and is replayed
package demo
