package sandbox

import (
	"encoding/json"
	"errors"
	"testing"

	"usher/internal/rtb"
)

// pieces counts what is written to it, and fails after limit bytes.
type pieces struct {
	total, largest, limit int
}

func (p *pieces) Write(b []byte) (int, error) {
	p.total += len(b)
	p.largest = max(p.largest, len(b))
	if p.limit > 0 && p.total > p.limit {
		return 0, errors.New("the caller went away")
	}
	return len(b), nil
}

// listingOf is the answer of a route that lists.
func listingOf(t *testing.T, r route, in any) listing {
	t.Helper()
	out, err := r.run(nil, nil, in)
	if err != nil {
		t.Fatal(err)
	}
	l, ok := out.(listing)
	if !ok {
		t.Fatalf("%s answers a %T", r.op.Name, out)
	}
	return l
}

// TestListingsAreSentInPieces holds the largest list to not being in memory.
func TestListingsAreSentInPieces(t *testing.T) {
	t.Parallel()
	l := listingOf(t, list(rtb.MetadataCities, findCities), rtb.CitiesFilter{})
	var all pieces
	if err := l.write(&all, nil); err != nil || all.total < 4<<20 || all.largest > 64<<10 {
		t.Errorf("%d bytes in pieces of up to %d: %v", all.total, all.largest, err)
	}
	gone := pieces{limit: 100 << 10}
	if err := l.write(&gone, nil); err == nil || gone.total > 200<<10 {
		t.Errorf("after the caller went away %d bytes were sent: %v", gone.total, err)
	}
}

// TestListingsAreWhole reads each list as the JSON that others would make of it.
func TestListingsAreWhole(t *testing.T) {
	t.Parallel()
	text := succeeded(listingOf(t, all(rtb.MetadataStates, states), rtb.Nothing{}), []note{{"W1", "mind"}}).whole()
	var got struct {
		Status string `json:"status"`
		Data   struct {
			States   []rtb.State `json:"countries"`
			Warnings []note      `json:"warnings"`
		} `json:"data"`
	}
	if err := json.Unmarshal(text.body, &got); err != nil {
		t.Fatal(err)
	}
	if got.Status != "success" || len(got.Data.States) != 57 || len(got.Data.Warnings) != 1 || text.stream != nil {
		t.Errorf("%+v", got)
	}
}
