//go:build !amd64 || purego

package csv

// findMasks is mask.
func findMasks(m masks, text []byte, delimiter byte) { mask(m, text, delimiter) }
