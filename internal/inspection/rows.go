package inspection

import (
	"bytes"
	"context"
	"errors"
	"io"

	"usher"
	"usher/pipeline"
)

// countedRows counts the rows of an export's blocks and stops at a limit.
type countedRows struct {
	blocks pipeline.Blocks
	limit  int64 // rows; 0: all
	rows   int64 // so far, over all parts
	cut    bool  // the limit was reached before the end

	refused error // the error with which a job refuses the rows that follow

	counted func(rows int64) // called after each block
}

// used reports whether the limit is reached.
func (c *countedRows) used() bool { return c.limit > 0 && c.rows >= c.limit }

// Next returns the next block, truncated at the limit.
func (c *countedRows) Next(ctx context.Context) (*usher.Block, error) {
	if c.used() {
		c.cut = true
		return nil, io.EOF
	}
	b, err := c.blocks.Next(ctx)
	var refused *usher.Permanent
	if errors.As(err, &refused) {
		c.refused = err
		return nil, io.EOF // so that all rows before it count
	}
	if err != nil {
		return nil, err
	}
	if c.limit > 0 {
		c.shorten(b)
	} else {
		c.rows += linesIn(b.Data)
	}
	c.counted(c.rows)
	return b, nil
}

// shorten truncates a block at the limit. Blank lines count as rows only in records.
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
