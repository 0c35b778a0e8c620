package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"usher"
	"usher/pipeline"
)

// countedRows passes on an export's blocks, counts their rows, ends after so
// many, and says on a terminal or log how far it is when that takes its time.
type countedRows struct {
	blocks pipeline.Blocks
	limit  int64 // rows; 0: all
	rows   int64 // so far, over all parts
	cut    bool  // the limit came before the end

	errs  io.Writer
	began time.Time
	said  time.Time
	total int64 // rows, about; 0: not known
}

// used reports whether the limit is reached.
func (c *countedRows) used() bool { return c.limit > 0 && c.rows >= c.limit }

// Next is the next block, cut off at the limit.
func (c *countedRows) Next(ctx context.Context) (*usher.Block, error) {
	if c.used() {
		c.cut = true
		return nil, io.EOF
	}
	b, err := c.blocks.Next(ctx)
	if err != nil {
		return nil, err
	}
	if c.limit > 0 {
		c.shorten(b)
	} else {
		c.rows += linesIn(b.Data)
	}
	c.say(time.Now())
	return b, nil
}

// shorten cuts a block off where the limit is reached. Blank lines are rows of
// records only.
func (c *countedRows) shorten(b *usher.Block) {
	for at := 0; at < len(b.Data); {
		if c.used() {
			b.Data, c.cut = b.Data[:at], true
			return
		}
		line, _, found := bytes.Cut(b.Data[at:], []byte("\n"))
		if b.Records || len(bytes.TrimSpace(line)) > 0 {
			c.rows++
		}
		at += len(line)
		if found {
			at++
		}
	}
}

func linesIn(data []byte) int64 {
	n := int64(bytes.Count(data, []byte("\n")))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n
}

// say tells how far it is, from two seconds on, every two seconds.
func (c *countedRows) say(now time.Time) {
	took := now.Sub(c.began)
	if took < lineEvery || now.Sub(c.said) < lineEvery {
		return
	}
	c.said = now
	rate := float64(c.rows) / took.Seconds()
	line := fmt.Sprintf("%s read, %s rows/s", plural(c.rows, "row"), number(int64(rate)))
	if rest := c.total - c.rows; rest > 0 {
		line += fmt.Sprintf(", about %s left", brief(time.Duration(float64(rest)/rate*float64(time.Second))))
	}
	if onTerminal(c.errs) {
		fmt.Fprintf(c.errs, "\r\x1b[K%s", line)
		return
	}
	fmt.Fprintln(c.errs, line)
}

// end wipes what was said off a terminal.
func (c *countedRows) end() {
	if !c.said.IsZero() && onTerminal(c.errs) {
		fmt.Fprint(c.errs, "\r\x1b[K")
	}
}
