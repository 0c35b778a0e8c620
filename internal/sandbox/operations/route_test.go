package operations

import (
	"errors"
	"testing"

	"usher/internal/rtb"
	"usher/internal/sandbox/envelope"
)

// pieces is a writer that counts bytes, and fails after limit bytes.
type pieces struct {
	total, largest, limit int
}

func (p *pieces) Write(b []byte) (int, error) {
	p.total += len(b)
	p.largest = max(p.largest, len(b))
	if p.limit > 0 && p.total > p.limit {
		return 0, errors.New("the caller has disconnected")
	}
	return len(b), nil
}

// TestListingsAreSentInPieces checks that the largest list is never in memory.
func TestListingsAreSentInPieces(t *testing.T) {
	t.Parallel()
	out, err := list(rtb.MetadataCities, findCities).Run(nil, nil, rtb.CitiesFilter{})
	if err != nil {
		t.Fatal(err)
	}
	l, ok := out.(envelope.Listing)
	if !ok {
		t.Fatalf("the answer is a %T", out)
	}
	var all pieces
	if err := l.Write(&all, nil); err != nil || all.total < 4<<20 || all.largest > 64<<10 {
		t.Errorf("%d bytes in pieces of up to %d: %v", all.total, all.largest, err)
	}
	gone := pieces{limit: 100 << 10}
	if err := l.Write(&gone, nil); err == nil || gone.total > 200<<10 {
		t.Errorf("after the caller had disconnected, %d bytes were sent: %v", gone.total, err)
	}
}
