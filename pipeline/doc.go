// Package pipeline runs one upload: it hashes the rows of a part of an export and sends
// the digests to the platform in batches.
//
//	upload.go       Upload and its Options; begin here
//	source.go       hashes blocks into windows, on a separate goroutine
//	window.go       2^20 rows: their digests and the dropped rows
//	sieve.go        finds the duplicates of a window
//	route.go        hashes rows with a type by the profile of their type
//	reader.go       cuts windows into batches: de-duplicate, suppress, cut
//	suppression.go  Suppression: a set of digests that must not be sent
//	list.go         the digests of a batch and their text
//	flight.go       batches in flight; puts responses in order for the checkpoint, and saves it
//	deliver.go      sends one batch, in one or several requests, without digests that were
//	                suppressed after it was cut
//	size.go         the size of requests, learned from responses
//	retry.go        retries one request in place
//	refusal.go      halves refused batches
//	reject.go       maxRejectPercent and maxMalformedPercent
//	sketch.go       estimates the number of distinct digests
//	buffers.go      bounds and reuses memory: that of digests is shared with batches
//	inline.go       hashes inline ids; decides between raw and md5
//
// A row has the first of these outcomes that applies: junk or invalid; duplicate, if its
// digest occurred before in the same window; suppressed; accepted or refused by the
// platform. The batch of a row depends only on the rows of the part, never on crashes,
// responses or time: a window begins at a fixed row and contains every digest, sent or
// not, and a batch lies in one window and ends with the row of its last id, or with the
// window. So a part that continues from a checkpoint cuts the same batches and has the
// same tally as one that never stopped. Responses change only the number of requests for
// a batch.
//
// A digest is written once, by the hasher into the memory of the window, and read twice:
// by the sieve, and by the request that encodes it in hex.
package pipeline
