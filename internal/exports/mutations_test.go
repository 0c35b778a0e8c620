package exports_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"usher"
	"usher/hashing"
	"usher/internal/exports"
)

// longID matches text that is an id or a part of one.
var longID = regexp.MustCompile(`[0-9A-Fa-f-]{8,}`)

// insideID reports whether the byte of data at an offset is part of an id.
func insideID(data []byte, at int) bool {
	from := max(at-70, 0)
	for _, found := range longID.FindAllIndex(data[from:min(at+70, len(data))], -1) {
		if found[0] <= at-from && at-from < found[1] {
			return true
		}
	}
	return false
}

// mutated is a damaged export.
type mutated struct {
	what string
	data []byte
	made int  // how many digests it may have that are not of the export's ids
	cut  bool // it is a prefix of the export
}

// mutations returns damaged forms of data, which is text if it is not compressed.
func mutations(random *rand.Rand, data, other []byte, text bool, times int) []mutated {
	var all []mutated
	for range times {
		at := random.IntN(len(data))
		all = append(all, mutated{"cut at " + strconv.Itoa(at), data[:at], 0, true})
		if !text {
			continue
		}
		flipped, made := bytes.Clone(data), 0
		flipped[at] ^= 1 << random.IntN(8)
		if insideID(data, at) || insideID(flipped, at) {
			made = 2
		}
		all = append(all, mutated{"byte " + strconv.Itoa(at) + " flipped", flipped, made, false})
		from := random.IntN(len(other))
		joined := append(bytes.Clone(data[:at]), other[from:]...)
		const seam = 1 // the row at the seam may be one that neither export has
		all = append(all, mutated{"cut at " + strconv.Itoa(at) + " and joined with the rest of another export from " + strconv.Itoa(from), joined, seam, false})
	}
	return all
}

// TestMutations damages the exports of the corpus: each is cut at random places, has bytes
// flipped, and is joined with a part of another export. A damaged export is refused, or it has no
// digests but those of its ids: the first ones if it was cut, and otherwise all but those of rows
// that are rejected. USHER_TEST_MUTATIONS is the number of random places, 1 by default.
func TestMutations(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	times, err := strconv.Atoi(os.Getenv("USHER_TEST_MUTATIONS"))
	if err != nil {
		times = 1
	}
	var lines []writersLine
	for _, text := range textLines(t, "manifest.ndjson") {
		var line writersLine
		must(t, json.Unmarshal([]byte(text), &line))
		if line.Refused == "" && !strings.HasSuffix(line.File, "/") {
			lines = append(lines, line)
		}
	}
	for i := range lines {
		line, other := &lines[i], &lines[(i*7+1)%len(lines)]
		t.Run(line.File, func(t *testing.T) {
			t.Parallel()
			line.checkMutations(t, other, rand.New(rand.NewPCG(uint64(i), 1)), times)
		})
	}
}

func (l *writersLine) checkMutations(t *testing.T, other *writersLine, random *rand.Rand, times int) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(writersDir, l.File))
	must(t, err)
	second, err := os.ReadFile(filepath.Join(writersDir, other.File))
	must(t, err)
	dir := t.TempDir()
	o := opener(t, dir, exports.Options{})
	ids := map[hashing.Digest]bool{}
	var column usher.Plan
	var order []hashing.Digest // of the export's ids
	whole := filepath.Join(dir, "whole"+filepath.Ext(l.File))
	for _, from := range []struct {
		data   []byte
		source json.RawMessage
	}{{second, other.Source}, {second, l.Source}, {data, l.Source}} {
		must(t, os.WriteFile(whole, from.data, 0o600))
		got, err := l.count(t, o, whole, from.source, 0)
		if err != nil {
			continue
		}
		column, order = got.plan, got.order // in the end those of the export itself
		for d := range got.distinct {
			ids[d] = true
		}
	}
	if column.Format == "csv" && (column.Header == "" || column.Columns == 0) {
		second = data // columns that have only numbers may be others in another export, and its rows are lists if there is only one column
	}
	path := filepath.Join(dir, l.File)
	text := bytes.IndexByte(data, 0) < 0 && !strings.Contains(l.File, ".parquet") && !strings.Contains(l.File, ".avro")
	for _, m := range mutations(random, data, second, text, times) {
		must(t, os.WriteFile(path, m.data, 0o600))
		for _, source := range slices.Compact([]string{string(l.Source), "{}"}) {
			got, err := l.count(t, o, path, json.RawMessage(source), 0)
			if err != nil {
				continue
			}
			made := 0
			for d := range got.distinct {
				if !ids[d] {
					made++
				}
			}
			if got.plan.Path != column.Path || got.plan.Header != column.Header || column.Header == "" && got.plan.Column != column.Column {
				continue // what is left of the export has its ids in another column
			}
			if made > m.made {
				t.Errorf("%s, with source %s: %d digests that are not of its ids", m.what, source, made)
			}
			if m.cut && (len(got.order) > len(order) || !slices.Equal(got.order, order[:len(got.order)])) {
				t.Errorf("%s, with source %s: %d ids, which are not the first ones", m.what, source, len(got.order))
			}
			if got.failsAsMalformed() || !text {
				continue
			}
			if lost, rejected := l.lost(t, m.data, ids, got); lost > rejected+2 {
				t.Errorf("%s, with source %s: %d ids are lost, and %d rows rejected", m.what, source, lost, rejected)
			}
		}
	}
}

// lost returns how many of the known ids that stand in a text were not read, and how many rows were
// rejected.
func (l *writersLine) lost(t *testing.T, data []byte, known map[hashing.Digest]bool, got *counted) (lost, rejected int64) {
	t.Helper()
	input := l.Input
	if input == "" {
		input = usher.InputRaw
	}
	hasher, err := hashing.New(l.Profile, input)
	must(t, err)
	all := bytes.Join(idWord.FindAll(data, -1), []byte{'\n'})
	standing := counted{hasher: hasher, out: hashing.NewOut(1024, 1024), distinct: map[hashing.Digest]bool{}}
	for len(all) > 0 {
		all = all[hasher.Lines(standing.out, all, true, true):]
		standing.add()
	}
	for d := range standing.distinct {
		if known[d] && !got.distinct[d] {
			lost++
		}
	}
	return lost, got.rows - got.ids
}

// idWord matches what may be an id.
var idWord = regexp.MustCompile(`[0-9A-Za-z-]{12,}`)
