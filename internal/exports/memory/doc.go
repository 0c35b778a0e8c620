// Package memory compares how an export was read with how the last good export of its feed or
// target was read.
//
//	memory.go      Of: how an export was read, when it was read to its end
//	difference.go  Differences: what is different, in words
//	reasons.go     why rows are not uploaded: their shares, and the words for them
//
// The memory is kept by those who have it: of a mirrored target in its ledger (internal/ledger),
// of a feed in its state (internal/feeds).
package memory
