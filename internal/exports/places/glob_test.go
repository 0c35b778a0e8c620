package places

import (
	"strings"
	"testing"
)

func TestMatches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		glob, name string
		want       bool
	}{
		{"*", "x", true}, {"*.gz", "a.gz", true}, {"*.gz", "gz", false}, {"a*a", "a", false}, {"a*a", "aa", true}, {"a*b*c", "a-b-c", true}, {"a*b*c", "a-c-b", false},
		{"part-*.csv.gz", "part-00001.csv.gz", true}, {"part-*.csv.gz", "part-00001.csv", false}, {"*a*a*", "xaxax", true}, {"*a*a*", "xax", false}, {"**", "", true},
	} {
		if got := matches(strings.Split(c.glob, "*"), c.name); got != c.want {
			t.Errorf("%s fits %s: %t", c.glob, c.name, got)
		}
	}
}
