package readable_test

import (
	"testing"

	"usher/internal/readable"
)

// What a publisher writes cannot change the order of what is shown, and is no formula in a spreadsheet.
func TestTextsOfStrangers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct{ shown, cell string }{
		"plain":                {"plain", "plain"},
		"gpj.\u202exe":         {`gpj.\u202exe`, `gpj.\u202exe`},
		"a\u2066b\u2069\u200f": {`a\u2066b\u2069\u200f`, `a\u2066b\u2069\u200f`},
		"two\nlines\x1b[31m":   {"two lines [31m", "two\nlines\x1b[31m"},
		"=HYPERLINK(\"x\")":    {`=HYPERLINK("x")`, `'=HYPERLINK("x")`},
		"+1 phone":             {"+1 phone", "'+1 phone"},
		"@SUM(A1)":             {"@SUM(A1)", "'@SUM(A1)"},
		"-3":                   {"-3", "-3"},
		"-3.5e2":               {"-3.5e2", "-3.5e2"},
		"-3 of them":           {"-3 of them", "'-3 of them"},
		"\t=1":                 {" =1", "'\t=1"},
		"":                     {"", ""},
		"نص عربي":              {"نص عربي", "نص عربي"},
	} {
		if shown := readable.Printable(text); shown != want.shown {
			t.Errorf("%q is shown as %q, want %q", text, shown, want.shown)
		}
		if cell := readable.Cell(text); cell != want.cell {
			t.Errorf("%q is the cell %q, want %q", text, cell, want.cell)
		}
	}
}

func TestQuotedWordsAreOneWordToAShell(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"a.csv": "a.csv", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, ";": "';'", "$(x)": "'$(x)'",
	} {
		if got := readable.ShellWord(word); got != want {
			t.Errorf("ShellWord(%q) = %s, want %s", word, got, want)
		}
	}
}

func TestMentions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, code string
		want       bool
	}{
		{"from PENDING to ACTIVE of a-1", "a-1", true},
		{"from PENDING to ACTIVE of a-10", "a-1", false},
		{"creative 'a-1' (ACTIVE)", "a-1", true},
		{"creative xa-1", "a-1", false},
		{"", "a-1", false},
	} {
		if readable.Mentions(c.text, c.code) != c.want {
			t.Errorf("%q names %s: %t", c.text, c.code, !c.want)
		}
	}
}
