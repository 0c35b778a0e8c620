package parquet

// deltas reads integers as Parquet's DELTA_BINARY_PACKED writes them: blocks of
// differences, each in small blocks of as many bits as their greatest takes.
type deltas struct {
	src   []byte
	small int // values a small block
	each  int // small blocks a block

	left   int64 // values to come
	last   int64
	first  bool
	least  int64 // of the block: is added to each difference
	widths []byte
	width  int // of the small block
	n      int // values left in it
	bit    int
}

// newDeltas reads the head. ok is false where it is damaged.
func newDeltas(src []byte) (d *deltas, ok bool) {
	t := &thrift{data: src} // it has the same varints
	block, each, left, first := t.uvarint(), t.uvarint(), t.uvarint(), t.number()
	if t.bad || each == 0 || each > 1<<10 || block == 0 || block > 1<<16 || block%each != 0 || block/each%8 != 0 || left > 1<<31 {
		return nil, false
	}
	return &deltas{src: src[t.at:], small: int(block / each), each: int(each), left: int64(left), last: first, first: true}, true
}

// next is the next integer. ok is false at the end, and where the data is
// damaged.
func (d *deltas) next() (v int64, ok bool) {
	if d.left == 0 {
		return 0, false
	}
	d.left--
	if d.first {
		d.first = false
		return d.last, true
	}
	if d.n == 0 && !d.begin() {
		return 0, false
	}
	var difference uint64
	for got := 0; got < d.width; {
		take := min(8-d.bit%8, d.width-got)
		difference |= uint64(d.src[d.bit/8]>>(d.bit%8)&(1<<take-1)) << got
		got += take
		d.bit += take
	}
	if d.n--; d.n == 0 {
		d.src = d.src[d.small*d.width/8:]
	}
	d.last += d.least + int64(difference)
	return d.last, true
}

// begin goes on to the next small block, and to the next block where that was
// the last.
func (d *deltas) begin() bool {
	if len(d.widths) == 0 {
		t := &thrift{data: d.src}
		d.least = t.number()
		if t.bad || len(d.src)-t.at < d.each {
			return false
		}
		d.widths = d.src[t.at : t.at+d.each]
		d.src = d.src[t.at+d.each:]
	}
	d.width, d.widths = int(d.widths[0]), d.widths[1:]
	d.n, d.bit = d.small, 0
	return d.width <= 64 && len(d.src) >= d.small*d.width/8
}

// rest passes over the integers that are left, and returns what follows them.
func (d *deltas) rest() (after []byte, ok bool) {
	left := d.left
	if d.first {
		left--
	}
	for ; left > 0; left -= int64(d.small) {
		if !d.begin() {
			return nil, false
		}
		d.src = d.src[d.small*d.width/8:]
	}
	return d.src, true
}
