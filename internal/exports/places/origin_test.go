package places_test

import (
	"errors"
	"testing"

	"usher"
	"usher/internal/exports/places"
)

// TestBrokenMasksIDs checks that names in an export are masked, and the name of the file is not.
func TestBrokenMasksIDs(t *testing.T) {
	t.Parallel()
	const id = "AEBE52E7-03EE-455A-B3C4-E57283966239"
	var broken *usher.Permanent
	if !errors.As(places.Origin("part-0-"+id).Broken("rename "+id, "it has the field %s", "devices."+id), &broken) {
		t.Fatal("no Permanent")
	}
	want := `read source "part-0-` + id + `": it has the field devices.AEBE****-6239`
	if broken.Error() != want || broken.Hint != "rename AEBE****-6239" {
		t.Errorf("%v (%s)\nwant %s", broken, broken.Hint, want)
	}
}
