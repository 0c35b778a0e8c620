package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"
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

// openArgument opens a file that an argument names. What is no file is refused
// by name.
func openArgument(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s is a folder: give a file", path)
	}
	return os.Open(path)
}

// estimateLines is about how many lines a text of size bytes has, by its
// beginning; 0 where that cannot be told: what is compressed does not say.
func estimateLines(text io.Reader, size int64) int64 {
	head, err := io.ReadAll(io.LimitReader(text, 256<<10))
	lines := int64(bytes.Count(head, []byte("\n")))
	compressed := bytes.HasPrefix(head, []byte{0x1f, 0x8b}) || bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd})
	if err != nil || lines == 0 || compressed {
		return 0
	}
	return max(1, lines*size/int64(len(head)))
}
