//go:build !amd64 || purego

package csv

// findMasks is mask.
func findMasks(m masks, text []byte, delimiter byte) { mask(m, text, delimiter) }

// listMarks is list.
func listMarks(out []uint16, mask []uint64) int { return list(out, mask) }
