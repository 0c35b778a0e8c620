// Package pipeline carries out one upload: the rows of an export's part become
// digests, and these become batches that a platform answers.
//
//	upload.go       Upload and its Options: read here first
//	source.go       blocks to hashed rows, on a goroutine of its own
//	reader.go       hashed rows to batches: de-duplicate, suppress, cut
//	window.go       which digests of the current 2^20 rows came before
//	suppression.go  which digests must never be sent
//	flight.go       several batches under way; answers put in order: the checkpoint
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
// fixed rows and holds every digest, sent or not, and a batch ends with the row
// of its last id. So a part that goes on from a checkpoint cuts the same batches
// and comes to the same tally as one that never stopped.
package pipeline
