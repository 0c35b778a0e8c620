package usher

// Block is a piece of an export as exports yields it: one value a line, in a
// recycled buffer. Lines end in \n or \r\n; only an export's last line may have
// no end, and no line is split over two blocks.
type Block struct {
	Data []byte // the lines, of which at least one is a row

	// Records says that every line is a row, an empty one counting as Empty:
	// the block was reduced from records (CSV, NDJSON). Otherwise it is plain
	// text, in which blank lines are not rows.
	Records bool

	// Types says of each row which type of id it has, where the source names a
	// column that tells; else it is nil. Only a block of records has it.
	Types []RowType

	// Recycle takes the buffer back; nil where nobody wants it. Data is not
	// touched after it.
	Recycle func(*Block)
}

// Release gives the block's buffer back to whoever made it.
func (b *Block) Release() {
	if b.Recycle != nil {
		b.Recycle(b)
	}
}
