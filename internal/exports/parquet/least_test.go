package parquet

import (
	"errors"
	"testing"
)

// TestPackedWithoutBits reads a packed group of indexes into a dictionary of one entry, as parquet-java writes fewer
// than eight of them: they have no bits, so no bytes follow the header.
func TestPackedWithoutBits(t *testing.T) {
	t.Parallel()
	h := hybrid{src: []byte{1<<1 | 1}}
	for i := range 8 {
		if v, ok := h.next(); v != 0 || !ok {
			t.Fatalf("value %d is %d, %v", i, v, ok)
		}
	}
	if v, ok := h.next(); ok {
		t.Errorf("a ninth value, %d", v)
	}
}

// TestNarrowDictionary reads a dictionary of decimals of one byte, as pyarrow writes those of up to two digits.
func TestNarrowDictionary(t *testing.T) {
	t.Parallel()
	d, ok := newDictionary([]byte{0, 1}, 2, 1)
	if !ok {
		t.Fatal("damaged")
	}
	values := dictionaryValues{from: d, indexes: hybrid{src: []byte{1 << 1, 1}, width: 1}}
	if v, ok := values.next(); !ok || len(v) != 1 || v[0] != 1 {
		t.Errorf("the second entry is %v, %v", v, ok)
	}
	if _, ok := newDictionary([]byte{0, 1}, 3, 1); ok {
		t.Error("three entries in two bytes")
	}
	if _, ok := newDictionary([]byte{0, 0, 0, 0}, 2, 0); ok {
		t.Error("two entries in the length of one")
	}
}

// TestEmptyPage reads the values of a page of nulls, for which parquet-java writes no byte with any codec.
func TestEmptyPage(t *testing.T) {
	t.Parallel()
	for codec := codecNone; codec <= codecLZ4Raw; codec++ {
		var p page
		var unknown *unknownError
		if err := p.unpack(&header{kind: pageDataV2}, nil, 0, int32(codec), true); err != nil && !errors.As(err, &unknown) || len(p.data) > 0 {
			t.Errorf("codec %d: %v", codec, err)
		}
	}
}

// TestEmptyGroup accepts a row group without rows, to whose chunks Arrow gives no offset.
func TestEmptyGroup(t *testing.T) {
	t.Parallel()
	f := Footer{Groups: []RowGroup{{chunks: []chunk{{size: 20}}}}}
	if !f.within(100) {
		t.Error("damaged")
	}
	if f.Groups[0].chunks[0].values = 1; f.within(100) {
		t.Error("values before the beginning of the file")
	}
}
