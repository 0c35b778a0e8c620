package usher_test

import (
	"reflect"
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
	}
}
