package inspect

import (
	"testing"
)

func TestQuotedWordsAreOneWordToAShell(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"a.csv": "a.csv", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, ";": "';'", "\t": "tab", "$(x)": "'$(x)'",
	} {
		if got := quoted(word); got != want {
			t.Errorf("quoted(%q) = %s, want %s", word, got, want)
		}
	}
}
