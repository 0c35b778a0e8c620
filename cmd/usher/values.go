package main

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"golang.org/x/time/rate"
)

// percentValue is a flag's value from 0 to 100.
type percentValue struct{ percent *float64 }

func (p *percentValue) String() string {
	if p.percent == nil {
		return ""
	}
	return strconv.FormatFloat(*p.percent, 'f', -1, 64)
}

func (*percentValue) Type() string { return "percent" }

func (p *percentValue) Set(text string) error {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || !(value >= 0 && value <= 100) { // not NaN either
		return errors.New("accepted is a number from 0 to 100")
	}
	p.percent = &value
	return nil
}

// deadlineValue is a time, or a duration from now on.
type deadlineValue struct {
	at    time.Time
	after time.Duration
	text  string
}

func (d *deadlineValue) String() string { return d.text }

func (*deadlineValue) Type() string { return "time" }

func (d *deadlineValue) Set(text string) error {
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

// from is the deadline of a job that is published now; zero for none.
func (d *deadlineValue) from(now time.Time) time.Time {
	if d.after > 0 {
		return now.Add(d.after).UTC().Truncate(time.Second)
	}
	return d.at
}

// pastValue is a time, or a duration ago.
type pastValue struct {
	at   time.Time
	ago  time.Duration
	text string
}

func (p *pastValue) String() string { return p.text }

func (*pastValue) Type() string { return "time" }

func (p *pastValue) Set(text string) error {
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

// before is the time meant at now; zero for none.
func (p *pastValue) before(now time.Time) time.Time {
	if p.text == "" || !p.at.IsZero() {
		return p.at
	}
	return now.Add(-p.ago)
}

// rateValue is a flag's value such as 5/s.
type rateValue struct {
	perSecond float64 // 0: no limit
	text      string
}

func (r *rateValue) String() string { return r.text }

func (*rateValue) Type() string { return "rate" }

func (r *rateValue) Set(text string) error {
	count, unit, _ := strings.Cut(text, "/")
	n, err := strconv.ParseFloat(count, 64)
	per := map[string]time.Duration{"": time.Second, "s": time.Second, "m": time.Minute, "h": time.Hour}[unit]
	if err != nil || per == 0 || !(n > 0 && n <= 1e6) {
		return errors.New("accepted is a number a second, minute or hour above 0, such as 5/s or 100/m")
	}
	r.text, r.perSecond = text, n/per.Seconds()
	return nil
}

func (r *rateValue) limit() rate.Limit {
	if r.perSecond == 0 {
		return rate.Inf
	}
	return rate.Limit(r.perSecond)
}
