package presence

import (
	"fmt"
	"testing"
)

// worker returns the answer of a worker with a rule file and perhaps a feed file, that may lead
// tasks.
func worker(name, rules, feeds string, leads ...string) Answer {
	h := Answer{Worker: name, Files: map[string]string{"rules": rules}, Leads: leads}
	if feeds != "" {
		h.Files["feeds"] = feeds
	}
	return h
}

func TestDifferences(t *testing.T) {
	t.Parallel()
	for want, workers := range map[string][]Answer{
		"[]": {worker("a", "1", "1", "rules", "evaluations"), worker("b", "1", "2"), worker("c", "1", "")},
		"[rules.files has other files on a, c than on b, and only those on b count]":                                                                    {worker("a", "1", ""), worker("b", "2", "", "rules"), worker("c", "3", "")},
		"[feeds.files has other files on b than on a, and only those on a count]":                                                                       {worker("a", "1", "1", "feeds"), worker("b", "2", "2"), worker("c", "3", "")},
		"[feeds.files has other files on b than on a, and only those on a count rules.files has other files on a than on b, and only those on b count]": {worker("a", "1", "1", "feeds"), worker("b", "2", "2", "rules")},
	} {
		if got := fmt.Sprint(Differences(workers)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A warning is logged when a difference begins, not while it lasts, nor when a busy worker answers
// again.
func TestDifferenceIsWarnedOfOnce(t *testing.T) {
	t.Parallel()
	a, b, same, c := worker("a", "1", "", "rules"), worker("b", "2", ""), worker("b", "1", ""), worker("c", "2", "")
	w := warnings{}
	for i, beat := range []struct {
		workers []Answer
		want    string
	}{
		{[]Answer{a, b}, "[b]"},
		{[]Answer{a, b}, "[]"},
		{[]Answer{a}, "[]"},
		{[]Answer{a, b}, "[]"},
		{[]Answer{a, b, c}, "[b c]"},
		{[]Answer{a, same}, "[]"},
		{[]Answer{a, b, c}, "[b c]"},
	} {
		named := []string{}
		for _, d := range w.begun(beat.workers) {
			named = append(named, d.Workers...)
		}
		if got := fmt.Sprint(named); got != beat.want {
			t.Errorf("answer %d: a warning of %s, want %s", i, got, beat.want)
		}
	}
}
