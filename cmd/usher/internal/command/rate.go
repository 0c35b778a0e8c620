package command

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"golang.org/x/time/rate"
)

// Rate is the value of a flag that takes a rate, such as 5/s.
type Rate struct {
	PerSecond float64 // 0: not set
	Text      string
}

// String implements pflag.Value.
func (r *Rate) String() string { return r.Text }

// Type implements pflag.Value.
func (*Rate) Type() string { return "rate" }

// Set implements pflag.Value.
func (r *Rate) Set(text string) error {
	count, unit, _ := strings.Cut(text, "/")
	n, err := strconv.ParseFloat(count, 64)
	per := map[string]time.Duration{"": time.Second, "s": time.Second, "m": time.Minute, "h": time.Hour}[unit]
	if err != nil || per == 0 || !(n > 0 && n <= 1e6) {
		return errors.New("accepted is a number a second, minute or hour above 0, such as 5/s or 100/m")
	}
	r.Text, r.PerSecond = text, n/per.Seconds()
	return nil
}

// Limit returns the rate, infinite if the flag is not set.
func (r *Rate) Limit() rate.Limit {
	if r.PerSecond == 0 {
		return rate.Inf
	}
	return rate.Limit(r.PerSecond)
}
