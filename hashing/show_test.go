package hashing_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"usher"
	"usher/hashing"
)

func TestMask(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"6D92078A-8246-4BA4-AE5B-76104861E7DC":   "6D92****-E7DC",
		"{6D92078A-8246-4BA4-AE5B-76104861E7DC}": "6D92****-E7DC",
		"\"6D92078A82464BA4AE5B76104861E7DC\"\t": "6D92****-E7DC",
		"af3802a465767e36":                       "af****-36",
		"490154203237518":                        "49****-18",
		"null":                                   "****",
		"":                                       "****",
		"****":                                   "####",
		"jane.doe.long.name@example.com":         "****",
		"6D92078A-8246\n4BA4-AE5B-76104861E7DC":  "****",
	} {
		if got := hashing.Mask([]byte(value)); got != want {
			t.Errorf("Mask(%q) = %q, want %q", value, got, want)
		}
	}
}

func FuzzMask(f *testing.F) {
	for _, v := range dirt() {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, value string) {
		masked := hashing.Mask([]byte(value))
		if value != "" && strings.Contains(masked, value) {
			t.Fatalf("%q holds %q", masked, value)
		}
		for _, c := range masked {
			if !unicode.IsPrint(c) {
				t.Fatalf("%q is not printable", masked)
			}
		}
		from, to, shown := strings.Cut(masked, "****-")
		if shown && (len(from) > 4 || len(to) > 4 || 3*(len(from)+len(to)) > len(value) ||
			!strings.Contains(value, from) || !strings.Contains(value, to)) {
			t.Fatalf("%q shows too much of %q", masked, value)
		}
	})
}

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
		"nothing":                     {idfa, "", usher.InputRaw},
		"only dirt":                   {idfa, "null\nidfa\n\n", usher.InputRaw},
		"with hyphens":                {idfa, "idfa\n6D92078A-8246-1BA4-1E5B-76104861E7DC\n", usher.InputRaw},
		"without hyphens":             {idfa, many(bare, 100), usher.InputRaw},
		"one without hyphens":         {idfa, bare(1), usher.InputRaw},
		"zeros and some without":      {idfa, zeros + many(bare, 10), usher.InputRaw},
		"digests":                     {idfa, "md5\n" + many(digest, 1000), usher.InputMD5},
		"zeros and some digests":      {aaid, zeros + many(digest, 10), usher.InputMD5},
		"digests in quotes":           {aaid, `"` + digest(1) + `"`, usher.InputMD5},
		"android ids":                 {android, "af3802a465767e36\na1b2c3d4e5f6071\n", usher.InputRaw},
		"digests of android ids":      {android, many(digest, 100), usher.InputMD5},
		"UUIDs where android is said": {android, "6D92078A-8246-4BA4-AE5B-76104861E7DC", usher.InputRaw},
	} {
		if got := hashing.DecideInput(test.profile, []byte(test.sample)); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

func TestExplain(t *testing.T) {
	t.Parallel()
	variants := hashing.Explain("6d92078a-8246-4ba4-ae5b-76104861e7dc")
	defaults := map[usher.IDType]hashing.Variant{}
	for _, v := range variants {
		if (v.Digest == "") != (v.Reason != hashing.None) {
			t.Errorf("%v: digest %q with reason %q", v.Profile, v.Digest, v.Reason)
		}
		if v.Default {
			defaults[v.Profile.Type] = v
		}
		want, _ := reference{profile: v.Profile}.judge("6d92078a-8246-4ba4-ae5b-76104861e7dc")
		if v.Digest != want {
			t.Errorf("%v: %s, want %s", v.Profile, v.Digest, want)
		}
	}
	switch {
	case len(variants) != 10 || len(defaults) != 3:
		t.Errorf("%d variants with %d defaults, want 10 with 3", len(variants), len(defaults))
	case defaults[usher.IDFA].Digest != "f2d1311ca5c1ecb214c19a26e9ddbad0":
		t.Errorf("the default of idfa is %v", defaults[usher.IDFA])
	case defaults[usher.AndroidID].Reason != hashing.WrongType:
		t.Errorf("the default of android_id is %v", defaults[usher.AndroidID])
	}
}
