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

// MalformedRow stands in a block for a row that cannot be parsed, alone on its line. No
// other line of a block is a single NUL byte: readers refuse or replace such values.
const MalformedRow = "\x00"

// Release returns the block's buffer to its owner.
func (b *Block) Release() {
	if b.Recycle != nil {
		b.Recycle(b)
	}
}
