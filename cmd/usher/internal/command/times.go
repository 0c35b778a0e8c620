package command

import (
	"errors"
	"time"
)

// Deadline is the value of a flag that takes a time, or a duration from now.
type Deadline struct {
	at    time.Time
	after time.Duration
	text  string
}

// String implements pflag.Value.
func (d *Deadline) String() string { return d.text }

// Type implements pflag.Value.
func (*Deadline) Type() string { return "time" }

// Set implements pflag.Value.
func (d *Deadline) Set(text string) error {
	d.text = text
	if after, err := time.ParseDuration(text); err == nil && after > 0 {
		d.after = after
		return nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return errors.New("accepted is a time as in RFC 3339, such as 2026-03-01T18:00:00Z, or a duration from now such as 2h")
	}
	d.at = at
	return nil
}

// At returns the deadline of a job that is published now. It is zero if the flag is
// not set.
func (d *Deadline) At(now time.Time) time.Time {
	if d.after > 0 {
		return now.Add(d.after).UTC().Truncate(time.Second)
	}
	return d.at
}

// Past is the value of a flag that takes a time, or a duration ago.
type Past struct {
	at   time.Time
	ago  time.Duration
	text string
}

// String implements pflag.Value.
func (p *Past) String() string { return p.text }

// Type implements pflag.Value.
func (*Past) Type() string { return "time" }

// Set implements pflag.Value.
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

// At returns the time, for a duration before now. It is zero if the flag is not set.
func (p *Past) At(now time.Time) time.Time {
	if p.text == "" || !p.at.IsZero() {
		return p.at
	}
	return now.Add(-p.ago)
}
