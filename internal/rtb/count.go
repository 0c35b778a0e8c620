package rtb

import (
	"encoding/json"
	"math"
	"reflect"
)

// Count is a whole number. The interface document only says that it is a number, so the
// platform may also write it as 3.0 or 1E7.
type Count int64

// UnmarshalJSON reads a JSON number. It must be whole and at most 2^53.
func (c *Count) UnmarshalJSON(data []byte) error {
	var number float64
	if err := json.Unmarshal(data, &number); err != nil {
		return err
	}
	if number != math.Trunc(number) || math.Abs(number) > 1<<53 {
		return &json.UnmarshalTypeError{Value: "number that is not whole", Type: reflect.TypeFor[int64]()}
	}
	*c = Count(number)
	return nil
}
