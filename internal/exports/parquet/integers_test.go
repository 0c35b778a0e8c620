package parquet

import "testing"

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
