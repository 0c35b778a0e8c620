package command

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"golang.org/x/time/rate"
)

// Percent is a flag's value from 0 to 100.
type Percent struct{ Value *float64 }

func (p *Percent) String() string {
	if p.Value == nil {
		return ""
	}
	return strconv.FormatFloat(*p.Value, 'f', -1, 64)
}

func (*Percent) Type() string { return "percent" }

func (p *Percent) Set(text string) error {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || !(value >= 0 && value <= 100) { // not NaN either
		return errors.New("accepted is a number from 0 to 100")
	}
	p.Value = &value
	return nil
}

// Deadline is a time, or a duration from now on.
type Deadline struct {
	at    time.Time
	after time.Duration
	text  string
}

func (d *Deadline) String() string { return d.text }

func (*Deadline) Type() string { return "time" }

func (d *Deadline) Set(text string) error {
	d.text = text
	if after, err := time.ParseDuration(text); err == nil && after > 0 {
		d.after = after
		return nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return errors.New("accepted is a time as in RFC 3339, such as 2026-03-01T18:00:00Z, or a duration from now on such as 2h")
	}
	d.at = at
	return nil
}

// From is the deadline of a job that is published now; zero for none.
func (d *Deadline) From(now time.Time) time.Time {
	if d.after > 0 {
		return now.Add(d.after).UTC().Truncate(time.Second)
	}
	return d.at
}

// Past is a time, or a duration ago.
type Past struct {
	at   time.Time
	ago  time.Duration
	text string
}

func (p *Past) String() string { return p.text }

func (*Past) Type() string { return "time" }

func (p *Past) Set(text string) error {
	p.text = text
	if ago, err := time.ParseDuration(text); err == nil && ago >= 0 {
		p.ago = ago
		return nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return errors.New("accepted is a time as in RFC 3339, such as 2026-03-01T18:00:00Z, or a duration ago such as 24h")
	}
	p.at = at
	return nil
}

// Before is the time meant at now; zero for none.
func (p *Past) Before(now time.Time) time.Time {
	if p.text == "" || !p.at.IsZero() {
		return p.at
	}
	return now.Add(-p.ago)
}

// Rate is a flag's value such as 5/s.
type Rate struct {
	PerSecond float64 // 0: no limit
	Text      string
}

func (r *Rate) String() string { return r.Text }

func (*Rate) Type() string { return "rate" }

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

func (r *Rate) Limit() rate.Limit {
	if r.PerSecond == 0 {
		return rate.Inf
	}
	return rate.Limit(r.PerSecond)
}
