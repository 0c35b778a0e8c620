// Package ledger keeps what usher believes that each target on the platform holds: the
// digests of a segment, or of a campaign's mobile device targeting. A mirror compares an
// export with it and sends only the difference.
//
//	store.go       Store: a folder or bucket with the ledgers of all targets; begin here;
//	               Probe: whether files can be written, for usher doctor
//	folder.go      lists the files of a folder
//	head.go        Target: a segment, or the targeting of a campaign; Head: its current state, a
//	               key in NATS
//	generation.go  Generation: all digests of a target at one time
//	delta.go       Delta: what other jobs have added and removed since, and the batches that are
//	               sent before they are in it
//	noted.go       notes complete deltas in the head, so that a lost one is noticed
//	fold.go        reads a generation with its deltas
//	current.go     the members that have not lapsed
//	lapse.go       LapseWatch: finds segments whose members lapse soon
//	withhold.go    Withheld: what a mirror has left out: members of other targets, and a holdout;
//	               Export: the digests of members, or of a holdout
//	overlap.go     Overlap: how many members targets have in common
//	sources.go     merges many deltas in steps
//	runs.go        Runs: digests of an export, collected by their first byte and sorted piece by
//	               piece
//	comparison.go  Comparison: what is compared, and the results; Staging: what a running mirror
//	               needs
//	compare.go     merges runs and compares them with the members
//	command.go     Diff, Adopt and Former, for the commands
//	list.go        List: reads digests to upload or to remove
//	new.go         how many of the digests that a job has added were no members before
//	commit.go      Begin and Commit; Collect: removes what nobody needs any more
//	correct.go     Correct: what a mirror could not do, such as what the platform has refused
//	suppression.go Suppression: the digests that no job may upload
//	rebuild.go     Rebuild: makes a damaged suppression list again
//	forget.go      Receipts: the files of the jobs that forget ids
//	seek.go        finds a few digests in large files
//	errors.go      DamagedError and what a job does about it
//
// Files and their parts:
//
//	writer.go   writes a file of sorted digests
//	reader.go   reads it, and verifies what it reads
//	format.go   the format of a file, and a digest with the day of its last upload
//	merge.go    merges streams of records
//	blocks.go   merges streams in blocks, which is faster
//
// The files of a target are below ADVERTISER/segment/ID/ or ADVERTISER/campaign/CODE/:
//
//	g/GENERATION-JOB-RUN/  a generation: manifest.json and its files
//	d/EPOCH-OP-JOB-…       deltas
//	s/JOB-RUN/             what a running mirror needs
//	n/LIST                 names of deltas, if there are too many for the head
//	r/READER/              deltas that were merged for a reader
//
// Beside the folders of advertisers are suppression.d, with the files of the managed
// suppression list, forget.d, with the receipts of jobs that forget ids, and for a moment files
// whose names begin with probe.
//
// A generation becomes the current one by a compare-and-set of the head, after all its files
// are written. A file that is missing, too short or changed is a DamagedError: it is never
// read as empty.
package ledger
