package exports

// ByHand is a column of CSV read record by record, without a look at its
// structure: the reference for whoever reads it faster. ok is false where a
// quote is not closed.
func ByHand(data string, delimiter byte, column int) (rows []string, ok bool) {
	for text := []byte(data); len(text) > 0; {
		if line, rest := cutLine(text); isBlank(line) {
			text = rest
			continue
		}
		row, size, open := splitAll(text, delimiter)
		if open {
			return nil, false
		}
		text = text[size:]
		cell := ""
		if column < len(row) {
			cell = row[column]
		}
		rows = append(rows, cell)
	}
	return rows, true
}

// PlainBytes is how many bytes of a string's content mean nothing in JSON, or
// less where fewer than eight are left.
func PlainBytes(data []byte) int { return plainBytes(data) }

// Pool is memory of pages.
type Pool struct{ p pool }

// Size has b be n bytes long, in memory that nobody else has.
func (p *Pool) Size(b *[]byte, n int) { p.p.size(b, n) }

// Give takes b's memory.
func (p *Pool) Give(b *[]byte) { p.p.give(b) }
