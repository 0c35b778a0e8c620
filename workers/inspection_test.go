package workers_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
	"usher/internal/inspection"
	"usher/internal/sandbox"
	"usher/workers/internal/workertest"
)

// corpusLine is a line of the manifest of the corpus of exports.
type corpusLine struct {
	File        string          `json:"file"`
	Profile     usher.Profile   `json:"profile"`
	Input       usher.Input     `json:"input"`
	Source      json.RawMessage `json:"source"`
	Refused     string          `json:"refused"`
	RefusedThen json.RawMessage `json:"refusedThen"`
	Understood  json.RawMessage `json:"understood"` // some of its fields
}

// reading is the result of reading an export.
type reading struct {
	Understood *usher.Understood
	Tally      usher.Tally
	Warnings   []usher.Warning `json:",omitempty"`
	Refusal    string          // with the hint; "": it was read

	failed bool // of a job that has read an export with too many rejects, and has not all warnings then
}

// TestInspectionReadsLikeJobWithoutRace inspects every export of the corpus and runs a job on
// it, both with the source that the manifest declares and with an empty one. Inspection and job
// must have understood and counted the same, or have refused the export in the same words.
func TestInspectionReadsLikeJobWithoutRace(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	dir, err := filepath.Abs(filepath.Join("..", "internal", "exports", "testdata", "writers"))
	if err != nil {
		t.Fatal(err)
	}
	b := workertest.NewBench(t, sandbox.Options{})
	b.Dir = dir
	b.Worker.Exports = b.Opener(exports.Options{})
	read := 0
	for _, text := range corpusFile(t, dir, "manifest.ndjson") {
		var line corpusLine
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatal(err)
		}
		done := map[string]bool{"": true}
		for _, source := range []json.RawMessage{line.Source, line.RefusedThen, json.RawMessage("{}")} {
			if done[string(source)] {
				continue
			}
			done[string(source)] = true
			got := line.compare(t, b, source, line.Profile, line.Input)
			line.compare(t, b, source, usher.Profile{}, usher.InputAuto)
			if got.Refusal == "" {
				read++
			}
			if line.Refused == "" && string(source) == string(line.Source) {
				line.checkUnderstood(t, got.Understood)
			}
		}
	}
	t.Logf("%d exports were read, the others refused", read)
	if read < 100 {
		t.Errorf("only %d exports were read", read)
	}
}

// corpusFile returns the lines of a file of the corpus.
func corpusFile(t *testing.T, dir, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	s := bufio.NewScanner(strings.NewReader(string(text)))
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		lines = append(lines, s.Text())
	}
	return lines
}

// compare inspects an export, runs a job with the profile and input of the report, and
// compares both results. It returns that of the inspection.
func (l *corpusLine) compare(t *testing.T, b *workertest.Bench, fields json.RawMessage, profile usher.Profile, input usher.Input) reading {
	t.Helper()
	source := usher.Source{}
	if err := json.Unmarshal(fields, &source); err != nil {
		t.Fatal(err)
	}
	source.URL = filepath.Join(b.Dir, l.File)
	if strings.HasSuffix(l.File, "/") {
		source.URL += "/"
	}
	report, err := inspection.Inspect(t.Context(), b.Opener(exports.Options{Unverified: true}), &source, inspection.Options{
		File: l.File, Profile: profile, Input: input, Progress: func(int64, int64) {},
	})
	inspected := reading{Refusal: refusalOf(err)}
	switch {
	case err == nil:
		inspected.Understood, inspected.Tally, inspected.Warnings = report.Understood, report.Tally, inOrder(report.Warnings)
		profile, input = report.Profile, report.Input
	case profile.Type == "":
		return inspected // there is no profile for a job
	}
	ran := runJob(t, b, source, profile, input)
	alike := inspected
	if alike.Warnings = withoutProportions(inspected.Warnings); ran.failed {
		alike.Warnings, ran.Warnings = nil, nil
	}
	if !same(t, alike, ran) {
		t.Errorf("%s with source %s, profile %s, input %q:\n%s\nby inspection, and by a job\n%s",
			l.File, fields, profile, input, asText(t, alike), asText(t, ran))
	}
	return inspected
}

// corpusJob returns a job that reads an export, whatever share of its rows is rejected.
func corpusJob(source usher.Source, profile usher.Profile, input usher.Input) *workertest.Lease {
	most := 100.0
	s := uploadJob(usher.SegmentAdd, source.URL)
	if profile.Type != usher.IDFA {
		s.Piece.Job.Segment = "2"
	}
	job := &s.Piece.Job
	job.Source, job.Profile, job.Input = &source, &profile, input
	job.MaxRejectPercent, job.MaxMalformedPercent = &most, &most
	return s
}

// runJob runs a job that sends nothing.
func runJob(t *testing.T, b *workertest.Bench, source usher.Source, profile usher.Profile, input usher.Input) reading {
	t.Helper()
	s := corpusJob(source, profile, input)
	s.Piece.Job.DryRun = true
	b.Run(s)
	if s.Parts == nil {
		return endingOf(t, s)
	}
	sum := reading{Understood: s.Piece.Progress.Understood}
	for n, part := range s.Parts {
		p := &workertest.Lease{Piece: s.Piece}
		p.Piece.Part, p.Piece.Parts, p.Piece.Range = n, len(s.Parts), part
		p.Piece.Progress = usher.Progress{Plan: s.Piece.Progress.Plan}
		got := endingOf(t, b.Run(p))
		if got.Refusal != "" {
			return got
		}
		sum.Tally.Add(got.Tally)
		sum.failed = sum.failed || got.failed
		sum.Warnings = inOrder(usher.AddWarnings(sum.Warnings, got.Warnings...))
	}
	return sum
}

// endingOf returns how a job or a part of it has ended.
func endingOf(t *testing.T, s *workertest.Lease) reading {
	t.Helper()
	if s.Ended == nil {
		t.Fatalf("%s: the job is tried again: %+v", s.Piece.Job.Source.URL, s.Retried)
	}
	if e := s.Ended.Error; e != nil && e.Class != usher.TooManyRejects { // an export with too many rejects was read
		return reading{Refusal: e.Message + "\n" + e.Hint}
	}
	p := s.Ended.Progress
	return reading{Understood: p.Understood, Tally: p.Checkpoint.Tally, Warnings: inOrder(p.Warnings), failed: s.Ended.Error != nil}
}

// withoutProportions returns warnings without those of shares of rows, which the record of a whole job has.
func withoutProportions(list []usher.Warning) []usher.Warning {
	return slices.DeleteFunc(slices.Clone(list), func(w usher.Warning) bool { return w.Code == "proportion" })
}

// inOrder returns warnings in the order of their texts.
func inOrder(list []usher.Warning) []usher.Warning {
	return slices.SortedFunc(slices.Values(list), func(a, b usher.Warning) int {
		return cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(a.Description, b.Description))
	})
}

func refusalOf(err error) string {
	var p *usher.Permanent
	switch {
	case err == nil:
		return ""
	case errors.As(err, &p):
		return p.Error() + "\n" + p.Hint
	}
	return fmt.Sprint("an error without a class: ", err)
}

// same reports whether the JSON of both readings is the same. It treats nil and empty counts
// alike.
func same(t *testing.T, a, b reading) bool {
	t.Helper()
	return asText(t, a) == asText(t, b)
}

func asText(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// checkUnderstood checks the fields of Understood that the manifest has.
func (l *corpusLine) checkUnderstood(t *testing.T, got *usher.Understood) {
	t.Helper()
	if l.Understood == nil || got == nil {
		return
	}
	want := *got
	if err := json.Unmarshal(l.Understood, &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(want, *got) {
		t.Errorf("%s is understood as\n%s, want\n%s", l.File, asText(t, got), l.Understood)
	}
}
