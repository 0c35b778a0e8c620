package hashing_test

import (
	"fmt"
	"strings"
	"testing"

	"usher"
	"usher/hashing"
)

func TestDecideInput(t *testing.T) {
	t.Parallel()
	bare := func(i int) string { return fmt.Sprintf("6D92078A82464BA4AE5B%012X", i) }
	digest := func(i int) string { return refMD5(fmt.Sprint(i)) }
	many := func(of func(int) string, n int) string {
		var all strings.Builder
		for i := range n {
			all.WriteString(of(i) + "\r\n")
		}
		return all.String()
	}
	zeros := strings.Repeat("00000000000000000000000000000000\n", 500)
	for name, test := range map[string]struct {
		profile usher.Profile
		sample  string
		want    usher.Input
	}{
		"no lines":                   {idfa, "", usher.InputRaw},
		"only junk":                  {idfa, "null\nidfa\n\n", usher.InputRaw},
		"with hyphens":               {idfa, "idfa\n6D92078A-8246-1BA4-1E5B-76104861E7DC\n", usher.InputRaw},
		"without hyphens":            {idfa, many(bare, 100), usher.InputRaw},
		"one without hyphens":        {idfa, bare(1), usher.InputRaw},
		"zeros and UUIDs":            {idfa, zeros + many(bare, 10), usher.InputRaw},
		"digests":                    {idfa, "md5\n" + many(digest, 1000), usher.InputMD5},
		"zeros and some digests":     {aaid, zeros + many(digest, 10), usher.InputMD5},
		"digests in quotes":          {aaid, `"` + digest(1) + `"`, usher.InputMD5},
		"android ids":                {android, "af3802a465767e36\na1b2c3d4e5f6071\n", usher.InputRaw},
		"digests of android ids":     {android, many(digest, 100), usher.InputMD5},
		"UUIDs with type android_id": {android, "6D92078A-8246-4BA4-AE5B-76104861E7DC", usher.InputRaw},
	} {
		if got := hashing.DecideInput(test.profile, []byte(test.sample)); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}
