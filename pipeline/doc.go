// Package pipeline carries out one upload: the rows of an export's part become
// digests, and these become batches that a platform answers.
//
//	upload.go       Upload and its Options: read here first
//	source.go       blocks to windows of hashed rows, on a goroutine of its own
//	window.go       2^20 rows: their digests, and what was dropped between them
//	segment.go      the memory that digests lie in, shared with the batches of them
//	sieve.go        which digests of a window came before in it
//	route.go        rows of which the export says the type of id
//	reader.go       windows to batches: de-duplicate, suppress, cut
//	suppression.go  which digests must never be sent
//	list.go         a batch's digests, and their text while it is read
//	flight.go       several batches under way; answers put in order: the checkpoint
//	deliver.go      one batch: in one request, or in as many as it takes
//	size.go         how large a request may be, learnt from the answers
//	retry.go        one request, tried again in place
//	refusal.go      a refused batch, halved
//	reject.go       maxRejectPercent
//	saver.go        checkpoints written beside the sending
//	sketch.go       how many distinct digests, estimated
//	buffers.go      the memory of an upload, bounded and used again
//	inline.go       ids that lie in the job itself: sealed, and raw or md5 decided
//
// A row goes the first of these ways that is open to it: dropped as junk or
// invalid; duplicate, when its digest came before in the same window; suppressed;
// into a batch, whose answer says accepted or refused. Which way that is depends
// on the part's rows alone, never on crashes, answers or time: a window begins at
// fixed rows and holds every digest, sent or not, and a batch lies in one window
// and ends with the row of its last id, or with the window. So a part that goes on
// from a checkpoint cuts the same batches and comes to the same tally as one that
// never stopped. What the answers change is only how many requests a batch takes.
//
// A digest is written once, by the hasher into the window's memory, and read
// twice: by the sieve, and by the request that makes hex of it.
package pipeline
