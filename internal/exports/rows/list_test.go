package rows_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"usher/internal/exports/rows"
)

const maxLine = 4 << 10

const (
	idA = "6D92078A-8246-4BA4-AE5B-76104861E7DC"
	idB = "38400000-8cf0-11bd-b23e-10b96e40000d"
	idC = "af3802a465767e36"
)

// TestAppendCell tests the rows of cells.
func TestAppendCell(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		cell string
		want []string
	}{
		{"{" + idA + "," + idB + "}", []string{idA, idB}},
		{`{"` + idA + `","` + idB + `"}`, []string{idA, idB}},
		{"{" + idA + ",NULL}", []string{idA, "NULL"}},
		{`["` + idA + `","` + idB + `"]`, []string{idA, idB}},
		{`['` + idA + `', '` + idB + `']`, []string{idA, idB}},
		{"['" + idA + "' '" + idB + "'\n '" + idC + "']", []string{idA, idB, idC}}, // numpy
		{"[" + idA + ", " + idB + "]", []string{idA, idB}},
		{"(" + idA + ", " + idB + ")", []string{idA, idB}},
		{`"` + idA + `, ` + idB + `"`, []string{idA, idB}},
		{`"[\"` + idA + `\", \"` + idB + `\"]"`, []string{idA, idB}}, // JSON in JSON
		{idA + "|" + idB, []string{idA, idB}},
		{idA + ";" + idB + ";", []string{idA, idB}},
		{idA + " " + idB, []string{idA, idB}},
		{"{" + idA + "} {" + idB + "}", []string{idA, idB}},
		{"{{" + idA + "," + idB + "},{" + idC + ",NULL}}", []string{idA, idB, idC, "NULL"}},
		{`["` + idA + `", null, "", None]`, []string{idA, "null", "", "None"}},
		{idA + ",," + idB, []string{idA, "", idB}},
		{`["` + idA + `", "not an id", "x, y"]`, []string{idA, `"not an id"`, `"x, y"`}},
		{idA + ",foo", []string{idA, "foo"}},
		{"[" + idA + ", not an id]", []string{idA, "not an id"}},
		{`["` + idA + `"]`, []string{idA}},
		{"[" + idA + "]", []string{idA}},
		{"[]", []string{""}},
		{"{}", []string{""}},
		{`[ ]`, []string{""}},
		{`[""]`, []string{""}},
		{"{NULL}", []string{"NULL"}},
		{"[null, null]", []string{"null", "null"}},

		{idA, []string{idA}},
		{" " + idC + " ", []string{idC}},
		{"{" + idA + "}", []string{"{" + idA + "}"}},
		{`"` + idA + `"`, []string{`"` + idA + `"`}},
		{"", []string{""}},
		{`""`, []string{`""`}},
		{"null", []string{"null"}},
		{"{", []string{"{"}},
		{"{ifa}", []string{"{ifa}"}},
		{"{{ idfa | upper }}", []string{"{{ idfa | upper }}"}},
		{"${" + idA + "}", []string{"${" + idA + "}"}},
		{"[replace_me]", []string{"[replace_me]"}},
		{"hello, world", []string{"hello, world"}},
		{"my id is " + idA + ", thanks", []string{"my id is " + idA + ", thanks"}},
		{"user " + idA, []string{"user " + idA}},
		{"2024-01-01 12:00:00", []string{"2024-01-01 12:00:00"}},
		{"12 345 678", []string{"12 345 678"}},
		{"{" + idA + "," + idB, []string{"{" + idA + "," + idB}},
		{"it's, 'tis " + idA, []string{"it's, 'tis " + idA}},
		{"a\nb", []string{"a b"}},
		{`{"idfa":"` + idA + `","n":1}`, []string{rows.InvalidRow}},
		{`["foo","bar"]`, []string{rows.InvalidRow}},
		{strings.Repeat("x", maxLine+1), []string{rows.InvalidRow}},
	} {
		got, n := rowsOf(t, test.cell)
		if !slices.Equal(got, test.want) || n != len(test.want) {
			t.Errorf("%q: %d rows %q, want %q", test.cell, n, got, test.want)
		}
	}
}

// rowsOf returns the rows of a cell.
func rowsOf(t *testing.T, cell string) ([]string, int) {
	t.Helper()
	before := []byte("before\n")
	out, n := rows.AppendCell(slices.Clone(before), []byte(cell), maxLine)
	if added := len(out) - len(before); added > max(min(len(cell), maxLine)+1, 2) {
		t.Errorf("%q: %d bytes were added", cell, added)
	}
	text, ended := strings.CutSuffix(string(out), "\n")
	if !bytes.HasPrefix(out, before) || !ended {
		t.Fatalf("%q: the output is %q", cell, out)
	}
	return strings.Split(text, "\n")[1:], n
}

// spelling is a way to write a list.
type spelling struct{ open, shut, quote, separator string }

func (s spelling) write(ids []string) string {
	quoted := make([]string, len(ids))
	for i, id := range ids {
		quoted[i] = s.quote + id + s.quote
	}
	return s.open + strings.Join(quoted, s.separator) + s.shut
}

func randomSpelling(random *rand.Rand) spelling {
	pick := func(choices ...string) string { return choices[random.IntN(len(choices))] }
	around := pick("", "", "[]", "{}", "()", `""`, "[[]]", `"[]"`)
	s := spelling{
		open: around[:len(around)/2], shut: around[len(around)/2:],
		quote: pick("", "", `"`, "'"), separator: pick(",", ", ", ";", "; ", "|", " | ", " ", "\t", " ,\n "),
	}
	if strings.Contains(around, `"`) && s.quote == `"` {
		s.quote = `\"`
	}
	return s
}

func randomID(random *rand.Rand) string {
	digits := func(n int) string {
		text := fmt.Sprintf("%016x%016x%016x%016x", random.Uint64(), random.Uint64(), random.Uint64(), random.Uint64())
		return text[:n]
	}
	id := digits([]int{16, 32, 32, 32, 40, 64}[random.IntN(6)])
	if len(id) == 32 && random.IntN(2) == 0 {
		id = strings.Join([]string{id[:8], id[8:12], id[12:16], id[16:20], id[20:]}, "-")
	}
	if random.IntN(2) == 0 {
		id = strings.ToUpper(id)
	}
	return id
}

// TestListsInAnySpelling checks that a list of ids has exactly these rows, however it
// is written.
func TestListsInAnySpelling(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20_000) {
		random := rand.New(rand.NewPCG(seed, 1))
		ids := make([]string, 2+random.IntN(6))
		for i := range ids {
			ids[i] = randomID(random)
		}
		cell := randomSpelling(random).write(ids)
		if got, _ := rowsOf(t, cell); !slices.Equal(got, ids) {
			t.Fatalf("seed %d, %q: rows %q, want %q", seed, cell, got, ids)
		}
	}
}

// TestTextIsOneRow checks that a text without ids is one row, whatever separators it
// has.
func TestTextIsOneRow(t *testing.T) {
	t.Parallel()
	words := []string{"hello", "Köln", "NULL", "2024-01-01", "12:30", "c4fe", "+49 170 1234567", "it's", `5"`, "{x}", "a@b.de", "(b)", "42"}
	for seed := range uint64(20_000) {
		random := rand.New(rand.NewPCG(seed, 2))
		text := []string{"text"}
		for range random.IntN(8) {
			text = append(text, words[random.IntN(len(words))])
		}
		cell := randomSpelling(random).write(text)
		if got, n := rowsOf(t, cell); n != 1 || len(got) != 1 {
			t.Fatalf("seed %d, %q: rows %q, want one", seed, cell, got)
		}
	}
}

// FuzzAppendCell checks that each cell has at least one row, that rows are counted, and
// that the output is bounded.
func FuzzAppendCell(f *testing.F) {
	f.Add("{" + idA + "," + idB + "}")
	f.Add(`["` + idA + `", "x y"]`)
	f.Add(`"[\"` + idA + `\"]"`)
	f.Add(strings.Repeat("[", 1000))
	f.Add(strings.Repeat(",", 1000) + idA)
	f.Add(strings.Repeat(`"'`, 1000))
	f.Fuzz(func(t *testing.T, cell string) {
		if got, n := rowsOf(t, cell); len(got) != n || n == 0 {
			t.Errorf("%q: %d rows are %q", cell, n, got)
		}
	})
}
