// Package feeds watches places for new exports, and publishes a job for each version of an
// export, once for all workers, so that a CRM system only has to write a file.
//
//	feed.go     Feed: what is watched, and what is expected
//	load.go     reads feed files, and finds feeds that change one target; the JSON Schema of
//	            feed files
//	job.go      the job of a feed
//	check.go    compares feeds with each other and with the allowed places
//	targets.go  compares the targets of feeds with the platform
//	files.go    Files: the configured feed files, reloaded when they change
//	state.go    State: what all workers know of a feed; Late: whether its export is overdue, which alerts,
//	            metrics, commands and the console ask when they look
//	states.go   States: their bucket, and what people change, but pauses
//	look.go     what a look does with the exports that it finds
//	taken.go    exports of a place that has more than a state can remember
//	memory.go   compares an export with how the last good one was read
//	watcher.go  Watcher: looks when a feed is due, counts the rows of exports, publishes jobs
//	metrics.go  metrics of feeds
//	move.go     moves exports whose jobs are done
package feeds
