//go:build !amd64 || purego

package exports

// findMasks is mask.
func findMasks(out []masks, text []byte, delimiter byte) { mask(out, text, delimiter) }
