package parquet

// Types of pages.
const (
	pageData       = 0
	pageIndex      = 1
	pageDictionary = 2
	pageDataV2     = 3
)

// header is the header of a page.
type header struct {
	kind       int64
	size       int64 // uncompressed
	compressed int64
	checked    bool // it has a checksum
	checksum   uint32
	entries    int64
	encoding   int64

	repEncoding, defEncoding int64 // of a data page of version 1
	repBytes, defBytes       int64 // of a data page of version 2
	bare                     bool  // the values are not compressed
}

// isData reports whether the page has entries.
func (h *header) isData() bool { return h.kind == pageData || h.kind == pageDataV2 }

// parseHeader reads the header that data begins with. It returns its size, 0 for a
// damaged header.
func parseHeader(data []byte) (h header, size int) {
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
			h.parseData(t)
		case id == 7 && kind == thriftStruct:
			h.parseDictionary(t)
		case id == 8 && kind == thriftStruct:
			h.parseDataV2(t)
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

func (h *header) parseData(t *thrift) {
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

func (h *header) parseDictionary(t *thrift) {
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

func (h *header) parseDataV2(t *thrift) {
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
