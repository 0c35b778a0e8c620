package usher_test

import (
	"reflect"
	"slices"
	"testing"

	"usher"
)

// Each column of a tally is in Add and in Check, so that a new one cannot be forgotten there.
func TestTallyHasAllColumns(t *testing.T) {
	t.Parallel()
	columns := reflect.TypeFor[usher.Tally]()
	for i := range columns.NumField() {
		column := columns.Field(i)
		if column.Name == "Read" {
			continue
		}
		var one, sum usher.Tally
		switch v := reflect.ValueOf(&one).Elem().Field(i); v.Kind() {
		case reflect.Int64:
			v.SetInt(1)
		default:
			v.Set(reflect.ValueOf(usher.Counts{"reason": 1}))
		}
		one.Read = 1
		if err := one.Check(); err != nil {
			t.Errorf("Check leaves out %s: %v", column.Name, err)
		}
		if sum.Add(one); !reflect.DeepEqual(sum, one) {
			t.Errorf("Add leaves out %s: %+v", column.Name, sum)
		}
		clone := one.Clone()
		if clone.Add(one); one.Read != 1 || one.Check() != nil || clone.Check() != nil || clone.Read != 2 {
			t.Errorf("Clone shares %s: %+v", column.Name, one)
		}
	}
}

// Each reason that takes at least 1 % of the rows is a warning.
func TestProportions(t *testing.T) {
	t.Parallel()
	tally := usher.Tally{
		Read: 1000, Accepted: 800, Duplicate: 100, Junk: usher.Counts{usher.Empty: 10, usher.Macro: 9}, Invalid: usher.Counts{usher.SHA1: 26},
		Withheld: usher.Counts{"consent": 55}, Refused: usher.Counts{"E1": 50},
	}
	want := []usher.Warning{
		{Code: "proportion", Count: 26, Description: "invalid.sha1: 26 of 1000 rows (2.6 %)"},
		{Code: "proportion", Count: 10, Description: "junk.empty: 10 of 1000 rows (1.0 %)"},
		{Code: "proportion", Count: 55, Description: "withheld.consent: 55 of 1000 rows (5.5 %)"},
	}
	if got := tally.Proportions(); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	if got := (usher.Tally{}).Proportions(); got != nil {
		t.Errorf("%+v", got)
	}
}
