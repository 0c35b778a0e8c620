package inspection

import (
	"bytes"
	"io"
	"os"
)

// EstimateRows estimates the number of lines of a text file of size bytes from its
// beginning. It returns 0 if the number is unknown.
func EstimateRows(path string, size int64) int64 {
	f, err := os.Open(path) //nolint:gosec // the user names the export
	if err != nil {
		return 0
	}
	defer func() { _ = f.Close() }() // opened for reading
	return estimateLines(f, size)
}

// estimateLines estimates the number of lines of a text of size bytes from its
// beginning. It returns 0 if the number is unknown, as for compressed data.
func estimateLines(text io.Reader, size int64) int64 {
	head, err := io.ReadAll(io.LimitReader(text, 256<<10))
	lines := int64(bytes.Count(head, []byte("\n")))
	compressed := false
	for _, magic := range []string{"\x1f\x8b", "\x28\xb5\x2f\xfd", "PK", "PAR1"} {
		compressed = compressed || bytes.HasPrefix(head, []byte(magic))
	}
	if err != nil || lines == 0 || compressed {
		return 0
	}
	return max(1, lines*size/int64(len(head)))
}
