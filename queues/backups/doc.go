// Package backups saves usher's streams and buckets to a folder, or to a bucket of objects, while
// workers run, and restores them, by the snapshots of JetStream's API.
//
//	manifest.go  Manifest: what a backup holds, with checksums
//	place.go     Place: a folder or a bucket
//	save.go      Save
//	restore.go   Restore
//	last.go      when the last backup was made, and its metric
//	snapshot.go  the API for snapshots: $JS.API.STREAM.SNAPSHOT and RESTORE
//
// Each stream is saved at another moment. The order makes sure that no job is lost in between: a
// job moves from the stream of jobs to the stream of parts, to its record, and then to the dead
// letters and events, and the streams are saved in this order. So a job may be found at two
// places, which is what a crash between two steps leaves behind, but never at none. A replay
// moves a job from the dead letters back to the stream of jobs; if a letter is removed while the
// streams are saved, Save begins again.
//
// The consumers are not saved: workers must not take jobs before everything is restored. A
// message that was delivered is delivered again, also that of a job that waits for others; records
// have the attempts. So the stream of released jobs is not saved.
package backups
