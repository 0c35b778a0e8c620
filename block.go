package usher

// Block is a piece of an export with one value per line, in a recycled buffer. Lines end
// in \n or \r\n; only the last line of an export may have no end. A block contains whole
// lines.
type Block struct {
	Data []byte // lines; at least one is a row

	// Records reports whether every line is a row, so that an empty line counts as
	// Empty: the lines are cells of records (CSV, NDJSON). In plain text, blank lines
	// are not rows.
	Records bool

	// Types has the id type of each row if the source names a column of types, otherwise
	// it is nil. Only blocks of records have it.
	Types []RowType

	// Recycle takes the buffer back; it may be nil. Data must not be used after it.
	Recycle func(*Block)
}

// MalformedRow stands in a block for a row that cannot be parsed, alone on its line. Readers refuse or
// replace values that are a NUL byte, alone or before another byte.
const MalformedRow = "\x00"

// withheldRow begins the line of a row that source.only leaves out, before the digit of the first
// column of it that the row fails.
const withheldRow = "\x00"

// AppendWithheld appends n rows that the column of source.only at an index leaves out.
func AppendWithheld(lines []byte, column, n int) []byte {
	for range n {
		lines = append(append(lines, withheldRow...), byte('0'+column), '\n')
	}
	return lines
}

// WithheldBy returns the index of the column of source.only that leaves a row out, or -1 if the row
// is another one.
func WithheldBy(row []byte) int {
	if len(row) == 2 && row[0] == withheldRow[0] && '0' <= row[1] && row[1] < '0'+MaxOnly {
		return int(row[1] - '0')
	}
	return -1
}

// Release returns the block's buffer to its owner.
func (b *Block) Release() {
	if b.Recycle != nil {
		b.Recycle(b)
	}
}

// RowType is the type of a row's id as given by a column of the export.
type RowType uint8

// The types of rows. An operating system may have several types of ids.
const (
	RowOther   RowType = iota // empty or unknown
	RowIOS                    // an IDFA
	RowAndroid                // an AAID or an ANDROID_ID
	RowAAID
	RowAndroidID

	RowTypes // number of types
)

// Fits reports whether a row of type t may hold an id of type i.
func (i IDType) Fits(t RowType) bool {
	switch t {
	case RowIOS:
		return i == IDFA
	case RowAndroid:
		return i == AAID || i == AndroidID
	case RowAAID:
		return i == AAID
	case RowAndroidID:
		return i == AndroidID
	default:
		return false
	}
}

// IDType returns the default type of ids in rows of type t, or "" for RowOther.
func (t RowType) IDType() IDType {
	switch t {
	case RowIOS:
		return IDFA
	case RowAndroid, RowAAID:
		return AAID
	case RowAndroidID:
		return AndroidID
	default:
		return ""
	}
}
