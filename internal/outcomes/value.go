package outcomes

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Value is a number and when it became known.
type Value struct {
	Known  time.Time
	Number *float64 // nil: it is missing, although its day is complete
}

// MarshalJSON returns the value as an array: microseconds and the number.
func (v Value) MarshalJSON() ([]byte, error) {
	return json.Marshal([2]any{v.Known.UnixMicro(), v.Number})
}

// UnmarshalJSON reads an array of microseconds and a number.
func (v *Value) UnmarshalJSON(data []byte) error {
	var known int64
	list := [2]any{&known, &v.Number}
	if err := json.Unmarshal(data, &list); err != nil {
		return fmt.Errorf("read outcome: %w", err)
	}
	v.Known = time.UnixMicro(known).UTC()
	return nil
}

func (v Value) equals(number *float64) bool {
	if v.Number == nil || number == nil {
		return v.Number == number
	}
	return *v.Number == *number
}

// Values are the versions of a number, by the time at which they became known.
type Values []Value

// maxVersions is how many versions are kept of a number. The first and the newest ones are.
const maxVersions = 20

// At returns the value that was known at a time; the zero time is now.
func (list Values) At(at time.Time) (Value, bool) {
	for _, v := range slices.Backward(list) {
		if at.IsZero() || !v.Known.After(at) {
			return v, true
		}
	}
	return Value{}, false
}

// add returns the versions with one more, and reports whether anything changed. A delivery that
// only repeats a number leaves no trace, so that daily exports of the same days add no versions.
func (list Values) add(known time.Time, number *float64) (Values, bool) {
	known = known.UTC().Truncate(time.Microsecond)
	if before, found := list.At(known); found && before.equals(number) {
		return list, false
	}
	list = slices.DeleteFunc(slices.Clone(list), func(v Value) bool { return v.Known.Equal(known) })
	list = append(list, Value{known, number})
	slices.SortStableFunc(list, func(a, b Value) int { return a.Known.Compare(b.Known) })
	list = slices.CompactFunc(list, func(a, b Value) bool { return a.equals(b.Number) }) // the same number became known earlier
	if len(list) > maxVersions {
		list = slices.Delete(list, 1, 2)
	}
	return list, true
}
