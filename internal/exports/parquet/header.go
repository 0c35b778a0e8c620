package parquet

// pageHead says what a page of a Parquet file holds.
type pageHead struct {
	kind       int64
	size       int64 // uncompressed
	compressed int64
	checked    bool
	checksum   uint32
	entries    int64
	encoding   int64

	repEncoding, defEncoding int64 // of a data page
	repBytes, defBytes       int64 // of a data page of version 2
	bare                     bool  // its values are not compressed
}

// parsePageHead reads the head that data begins with, and returns how many bytes
// it takes, 0 for a damaged one.
func parsePageHead(data []byte) (h pageHead, used int) {
	t := &thrift{data: data}
	h.kind, h.entries = -1, -1
	t.fields(func(id int64, kind byte) {
		switch {
		case id == 1 && kind == thriftI32:
			h.kind = t.number()
		case id == 2 && kind == thriftI32:
			h.size = t.number()
		case id == 3 && kind == thriftI32:
			h.compressed = t.number()
		case id == 4 && kind == thriftI32:
			h.checked, h.checksum = true, uint32(t.number())
		case id == 5 && kind == thriftStruct:
			h.dataPage(t)
		case id == 7 && kind == thriftStruct:
			h.dictionaryPage(t)
		case id == 8 && kind == thriftStruct:
			h.dataPageV2(t)
		default:
			t.skip(kind)
		}
	})
	if t.bad {
		return h, 0
	}
	if h.kind == pageIndex {
		h.entries = 0
	}
	return h, t.at
}

func (h *pageHead) dataPage(t *thrift) {
	t.fields(func(id int64, kind byte) {
		switch {
		case id == 1 && kind == thriftI32:
			h.entries = t.number()
		case id == 2 && kind == thriftI32:
			h.encoding = t.number()
		case id == 3 && kind == thriftI32:
			h.defEncoding = t.number()
		case id == 4 && kind == thriftI32:
			h.repEncoding = t.number()
		default:
			t.skip(kind)
		}
	})
}

func (h *pageHead) dictionaryPage(t *thrift) {
	t.fields(func(id int64, kind byte) {
		switch {
		case id == 1 && kind == thriftI32:
			h.entries = t.number()
		case id == 2 && kind == thriftI32:
			h.encoding = t.number()
		default:
			t.skip(kind)
		}
	})
}

func (h *pageHead) dataPageV2(t *thrift) {
	t.fields(func(id int64, kind byte) {
		switch {
		case id == 1 && kind == thriftI32:
			h.entries = t.number()
		case id == 4 && kind == thriftI32:
			h.encoding = t.number()
		case id == 5 && kind == thriftI32:
			h.defBytes = t.number()
		case id == 6 && kind == thriftI32:
			h.repBytes = t.number()
		case id == 7:
			h.bare = kind == thriftFalse
			t.skip(kind)
		default:
			t.skip(kind)
		}
	})
}
