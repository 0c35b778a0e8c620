package command

import (
	"errors"
	"strconv"
)

// Percent is the value of a flag that takes 0 to 100.
type Percent struct{ Value *float64 } // nil: not set

// String implements pflag.Value.
func (p *Percent) String() string {
	if p.Value == nil {
		return ""
	}
	return strconv.FormatFloat(*p.Value, 'f', -1, 64)
}

// Type implements pflag.Value.
func (*Percent) Type() string { return "percent" }

// Set implements pflag.Value.
func (p *Percent) Set(text string) error {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || !(value >= 0 && value <= 100) { // not NaN either
		return errors.New("accepted is a number from 0 to 100")
	}
	p.Value = &value
	return nil
}
