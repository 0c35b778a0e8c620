package pipeline_test

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"usher"
	"usher/pipeline"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// idOf returns the n-th IDFA.
func idOf(n int) string { return fmt.Sprintf("6D92078A-8246-4BA4-AE5B-%012X", n) }

// digestOf returns the digest of the n-th IDFA, computed with the standard library.
func digestOf(n int) string {
	sum := md5.Sum([]byte(idOf(n)))
	return hex.EncodeToString(sum[:])
}

// ids returns the ids from..to-1 as lines.
func ids(from, to int) []string {
	var lines []string
	for i := from; i < to; i++ {
		lines = append(lines, idOf(i))
	}
	return lines
}

// blocks yields lines in blocks of each lines, and counts the released blocks. It ends
// with err if err is set.
type blocks struct {
	lines    []string
	each     int
	err      error
	released int
	given    int
}

func blocksOf(lines []string, each int) *blocks { return &blocks{lines: lines, each: each} }

func (b *blocks) Next(ctx context.Context) (*usher.Block, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if b.released != b.given {
		return nil, fmt.Errorf("%d blocks released of %d", b.released, b.given)
	}
	if len(b.lines) == 0 {
		if b.err != nil {
			return nil, b.err
		}
		return nil, io.EOF
	}
	n := min(b.each, len(b.lines))
	data := []byte(strings.Join(b.lines[:n], "\n") + "\n")
	b.lines = b.lines[n:]
	b.given++
	return &usher.Block{Data: data, Recycle: func(*usher.Block) {
		b.released++
		for i := range data {
			data[i] = '?' // makes a read after the release visible
		}
	}}, nil
}

// textOf returns the text of a batch.
func textOf(b *usher.Batch) string {
	text, err := b.Text()
	if err != nil {
		panic(err)
	}
	return string(text)
}

// receiver is a platform that records the requests.
type receiver struct {
	mu       sync.Mutex
	requests [][]string       // the digests of every request
	numbers  []int64          // the numbers of their batches
	got      map[string]int64 // accepted digests, and how often each was accepted

	answer func(request int, digests []string) error // nil: accepts all; request counts from 1
	warn   usher.WarningCode                         // code of a warning in each response
}

func (r *receiver) send(_ context.Context, b *usher.Batch) error {
	digests := strings.Split(textOf(b), ",")
	if len(digests) != b.IDs {
		return usher.Refuse(usher.Refused, "", "%d digests in a batch of %d", len(digests), b.IDs)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests = append(r.requests, digests)
	r.numbers = append(r.numbers, b.Number)
	if r.answer != nil {
		if err := r.answer(len(r.requests), digests); err != nil {
			return err
		}
	}
	if r.warn != "" {
		b.Warnings = append(b.Warnings, usher.Warning{Code: r.warn, Count: 1})
	}
	if r.got == nil {
		r.got = map[string]int64{}
	}
	for _, d := range digests {
		if len(d) != 32 {
			return usher.Refuse(usher.Refused, "", "a digest of %d characters", len(d))
		}
		r.got[d]++
	}
	return nil
}

func (r *receiver) options() pipeline.Options {
	return pipeline.Options{Profile: usher.Profile{Type: usher.IDFA}, MaxRejectPercent: 90, Send: r.send}
}

// checkGot reports accepted digests that are missing or were not expected.
func (r *receiver) checkGot(tb testing.TB, want []string) {
	tb.Helper()
	have := map[string]bool{}
	for _, d := range want {
		have[d] = true
		if r.got[d] == 0 {
			tb.Errorf("digest %s is missing", d)
		}
	}
	for d := range r.got {
		if !have[d] {
			tb.Errorf("digest %s was sent unexpectedly", d)
		}
	}
}

func upload(tb testing.TB, lines []string, o pipeline.Options) usher.Checkpoint {
	tb.Helper()
	c, err := pipeline.Upload(tb.Context(), blocksOf(lines, 10), o)
	if err != nil {
		tb.Fatal(err)
	}
	checkTally(tb, c)
	return c
}

func checkTally(tb testing.TB, c usher.Checkpoint) {
	tb.Helper()
	if err := c.Tally.Check(); err != nil {
		tb.Error(err)
	}
}

// refusedAs returns the error of a request that the platform refuses with a code.
func refusedAs(code string) error {
	return fmt.Errorf("post users: %w", &usher.Permanent{Class: usher.Refused, Code: code, Err: fmt.Errorf("the platform says %s", code)})
}

func containsAny(digests []string, bad ...int) bool {
	return slices.ContainsFunc(bad, func(n int) bool { return slices.Contains(digests, digestOf(n)) })
}
