package csv

import (
	"bytes"
	"strings"
)

// Delimiters are the characters that may separate the fields of an export.
const Delimiters = "\t,;|"

// DeclaredDelimiter returns the delimiter that a line declares, as spreadsheets
// write it on the first line: sep=;
func DeclaredDelimiter(line []byte) (delimiter byte, ok bool) {
	line = bytes.Trim(bytes.TrimSuffix(line, []byte{'\r'}), `"`)
	if len(line) != 5 || !bytes.EqualFold(line[:4], []byte("sep=")) || !strings.ContainsRune(Delimiters, rune(line[4])) {
		return 0, false
	}
	return line[4], true
}
