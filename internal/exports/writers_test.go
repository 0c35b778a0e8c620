package exports_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"usher"
	"usher/hashing"
	"usher/internal/exports"
)

// writersDir is a corpus of exports by real tools; its README.md describes it.
const writersDir = "testdata/writers"

// writersLine is a line of the corpus's manifest.
type writersLine struct {
	File        string          `json:"file"` // a folder ends in /
	Profile     usher.Profile   `json:"profile"`
	Input       usher.Input     `json:"input"`       // default raw
	Source      json.RawMessage `json:"source"`      // the fields that the export needs; {} if none
	Refused     string          `json:"refused"`     // a part of the refusal; empty: it is read
	RefusedThen json.RawMessage `json:"refusedThen"` // the fields with which it is read all the same
	OrExact     bool            `json:"orExact"`     // it may also be read exactly instead of refused
	figures
}

// figures are what the program that made the corpus expects of an export, or what a
// job read.
type figures struct {
	Rows      int64  `json:"rows"`
	IDs       int64  `json:"ids"` // duplicates included
	Distinct  int64  `json:"distinct"`
	Sum       string `json:"sum"` // of the distinct digests as 128-bit numbers, modulo 2^128
	Xor       string `json:"xor"`
	Junk      int64  `json:"junk"`
	Invalid   int64  `json:"invalid"`
	Malformed int64  `json:"malformed"` // not in Invalid
}

// TestWriters reads the corpus: each export is read exactly as its writer meant it or
// refused as the manifest says.
func TestWriters(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	o := opener(t, writersDir, exports.Options{})
	for _, text := range textLines(t, "manifest.ndjson") {
		var line writersLine
		must(t, json.Unmarshal([]byte(text), &line))
		t.Run(line.File, func(t *testing.T) {
			t.Parallel()
			if err := line.check(t, o); err != nil {
				t.Error(err)
			}
		})
	}
}

// textLines returns the lines of a file of the corpus.
func textLines(t *testing.T, name string) []string {
	t.Helper()
	f, err := os.Open(filepath.Join(writersDir, name))
	must(t, err)
	defer func() { must(t, f.Close()) }()
	var lines []string
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		lines = append(lines, s.Text())
	}
	must(t, s.Err())
	return lines
}

// check reports how usher reads an export differently from what the manifest says.
func (l *writersLine) check(t *testing.T, o *exports.Opener) error {
	t.Helper()
	source := l.Source
	if l.Refused != "" {
		got, err := l.read(t, o, source, 0)
		exact := l.OrExact && err == nil && got == l.figures
		if err := l.refusedWith(err, l.Refused); err != nil && !exact {
			return err
		}
		if l.RefusedThen == nil {
			return l.exactOrRefused(t, o, json.RawMessage("{}"), 0)
		}
		source = l.RefusedThen
	}
	got, err := l.read(t, o, source, 0)
	if err != nil {
		return fmt.Errorf("with source %s: %w", source, err)
	}
	if got != l.figures {
		return fmt.Errorf("with source %s:\n read %+v\n want %+v", source, got, l.figures)
	}
	if err := l.exactOrRefused(t, o, source, 1<<10); err != nil {
		return fmt.Errorf("with source %s in small parts: %w", source, err)
	}
	if l.Refused != "" || string(source) == "{}" {
		return nil // it may be refused with nothing declared, or was read so above
	}
	if err := l.exactOrRefused(t, o, json.RawMessage("{}"), 0); err != nil {
		return fmt.Errorf("with nothing declared: %w", err)
	}
	return nil
}

// exactOrRefused reports that an export is neither read exactly nor refused with a hint.
func (l *writersLine) exactOrRefused(t *testing.T, o *exports.Opener, source json.RawMessage, partBytes int64) error {
	t.Helper()
	got, err := l.read(t, o, source, partBytes)
	if err != nil {
		return l.refusedWith(err, "")
	}
	if got != l.figures {
		return fmt.Errorf("\n read %+v\n want %+v", got, l.figures)
	}
	return nil
}

// refusedWith reports that err is not a refusal with a hint and with the given words. The
// export's name does not count as words.
func (l *writersLine) refusedWith(err error, words string) error {
	var p *usher.Permanent
	switch {
	case err == nil:
		return fmt.Errorf("is read, but must be refused with %q", words)
	case !errors.As(err, &p) || p.Hint == "":
		return fmt.Errorf("is not refused with a hint: %w", err)
	case !strings.Contains(strings.ToLower(strings.ReplaceAll(p.Error()+"\n"+p.Hint, "/"+l.File, "")), strings.ToLower(words)):
		return fmt.Errorf("is refused without the words %q: %w (%s)", words, err, p.Hint)
	}
	return nil
}

// read reads an export as a job does, and returns what it read.
func (l *writersLine) read(t *testing.T, o *exports.Opener, source json.RawMessage, partBytes int64) (figures, error) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(writersDir, l.File))
	must(t, err)
	if strings.HasSuffix(l.File, "/") {
		path += "/"
	}
	count, err := l.count(t, o, path, source, partBytes)
	if err != nil {
		return figures{}, err
	}
	got := count.figures()
	if count.failsAsMalformed() && l.Malformed == 0 {
		return figures{}, usher.Refuse(usher.TooManyRejects, "set source.escape or source.quote", "read rows: %d of %d cannot be parsed", got.Malformed, got.Rows)
	}
	return got, nil
}

// count reads an export at a path as a job does.
func (l *writersLine) count(t *testing.T, o *exports.Opener, path string, source json.RawMessage, partBytes int64) (*counted, error) {
	t.Helper()
	src := &usher.Source{}
	must(t, json.Unmarshal(source, src))
	src.URL = path
	plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: l.Profile.Type, Input: l.Input}, partBytes)
	if err != nil {
		return nil, err
	}
	input := l.Input
	if input == "" {
		input = usher.InputRaw
	}
	hasher, err := hashing.New(l.Profile, input)
	must(t, err)
	hasher.SetHeader(plan.Header)
	count := &counted{plan: plan, hasher: hasher, out: hashing.NewOut(1024, 1024), distinct: map[hashing.Digest]bool{}}
	for _, part := range plan.Parts {
		if err := count.part(t, o, src, plan, part); err != nil {
			return nil, err
		}
	}
	return count, nil
}

// counted is what was read of an export so far.
type counted struct {
	plan     usher.Plan
	hasher   *hashing.Hasher
	out      *hashing.Out
	rows     int64
	ids      int64
	distinct map[hashing.Digest]bool
	order    []hashing.Digest // all of them, as they were read
	rejects  hashing.Counts
}

func (c *counted) part(t *testing.T, o *exports.Opener, src *usher.Source, plan usher.Plan, part usher.Part) error {
	t.Helper()
	r, err := o.Open(t.Context(), src, plan, part)
	if err != nil {
		return err
	}
	defer func() { must(t, r.Close()) }()
	for {
		b, err := r.Next(t.Context())
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for rest := b.Data; len(rest) > 0; {
			rest = rest[c.hasher.Lines(c.out, rest, b.Records, true):]
			c.add()
		}
		b.Release()
	}
}

func (c *counted) add() {
	c.rows += int64(c.out.Count)
	c.ids += int64(len(c.out.Digests))
	c.order = append(c.order, c.out.Digests...)
	for _, d := range c.out.Digests {
		c.distinct[d] = true
	}
	for _, r := range c.out.Rejects {
		c.rejects[r.Reason]++
	}
}

// failsAsMalformed reports whether a job fails by the default of maxMalformedPercent.
func (c *counted) failsAsMalformed() bool { return 100*c.figures().Malformed > c.rows }

func (c *counted) figures() figures {
	var tally usher.Tally
	c.rejects.AddTo(&tally, nil)
	f := figures{Rows: c.rows, IDs: c.ids, Distinct: int64(len(c.distinct)), Malformed: tally.Invalid["malformed"]}
	for _, n := range tally.Junk {
		f.Junk += n
	}
	for reason, n := range tally.Invalid {
		if reason != "malformed" {
			f.Invalid += n
		}
	}
	sum, xor := new(big.Int), new(big.Int)
	for d := range c.distinct {
		number := new(big.Int).SetBytes(d[:])
		sum.Add(sum, number)
		xor.Xor(xor, number)
	}
	sum.Mod(sum, new(big.Int).Lsh(big.NewInt(1), 128))
	f.Sum, f.Xor = fmt.Sprintf("%032x", sum), fmt.Sprintf("%032x", xor)
	return f
}

// TestWritersManifest checks that every file of the corpus is in the manifest, and that
// the corpus stays small.
func TestWritersManifest(t *testing.T) {
	t.Parallel()
	manifest, err := os.ReadFile(filepath.Join(writersDir, "manifest.ndjson"))
	must(t, err)
	entries, err := os.ReadDir(writersDir)
	must(t, err)
	for _, e := range entries {
		name := e.Name()
		switch name {
		case "README.md", "make", "manifest.ndjson":
			continue
		}
		if e.IsDir() {
			name += "/"
		}
		if !bytes.Contains(manifest, fmt.Appendf(nil, `"file": %q`, name)) {
			t.Errorf("the manifest has no line for %s", name)
		}
	}
}
