package usher_test

import (
	"slices"
	"testing"

	"usher"
)

// A warning that counts all rows replaces the same one for samples, in either order. Others are
// added up.
func TestAddWarnings(t *testing.T) {
	t.Parallel()
	const text = "rows with an id are of another type than idfa in column 1 (os)"
	warning := func(code usher.WarningCode, text string, count int64) usher.Warning {
		return usher.Warning{Code: code, Description: text, Count: count}
	}
	sampled, again := warning("type_column", "3 of 200 sampled "+text, 3), warning("type_column", "4 of 180 sampled "+text, 4)
	all := warning("type_column", text, 50)
	inFile := warning("type_column", "b 2 of 3 sampled.csv, c: 1 of 9 sampled "+text, 1)
	for _, c := range []struct {
		name string
		list []usher.Warning
		want []usher.Warning
	}{
		{"replaced", []usher.Warning{sampled, all}, []usher.Warning{all}},
		{"before", []usher.Warning{all, sampled}, []usher.Warning{all}},
		{"parts", []usher.Warning{sampled, all, all}, []usher.Warning{warning("type_column", text, 100)}},
		{"several samples", []usher.Warning{sampled, again, all}, []usher.Warning{all}},
		{"samples only", []usher.Warning{sampled, again}, []usher.Warning{sampled, again}},
		{"another code", []usher.Warning{sampled, warning("other", text, 2)}, []usher.Warning{sampled, warning("other", text, 2)}},
		{"another column", []usher.Warning{sampled, warning("type_column", text+"2", 2)}, []usher.Warning{sampled, warning("type_column", text+"2", 2)}},
		{"of a file", []usher.Warning{inFile, all}, []usher.Warning{inFile, all}},
	} {
		if got := usher.AddWarnings(nil, c.list...); !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	if got, want := inFile.OfAllRows(), "b 2 of 3 sampled.csv, c: "+text; got != want {
		t.Errorf("of all rows: %q", got)
	}
}

// A record names the parts with the most crashes, and not more of them than a person reads.
func TestCrashedParts(t *testing.T) {
	t.Parallel()
	var r usher.Record
	for part := range 15 {
		r.AddCrashes(part, part%3)
	}
	if len(r.CrashedParts) != 10 || r.CrashedParts[0] != (usher.PartCrashes{Part: 2, Crashes: 2}) || r.CrashedParts[9] != (usher.PartCrashes{Part: 13, Crashes: 1}) {
		t.Errorf("%+v", r.CrashedParts)
	}
}
