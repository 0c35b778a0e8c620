package hashing_test

import (
	"fmt"
	"strings"
	"testing"

	"usher"
	"usher/hashing"
)

func yes() *bool { b := true; return &b }
func no() *bool  { b := false; return &b }

var (
	idfa    = usher.Profile{Type: usher.IDFA}
	aaid    = usher.Profile{Type: usher.AAID}
	android = usher.Profile{Type: usher.AndroidID}
)

// profiles returns all profiles, in spellings that a job may use.
func profiles() []usher.Profile {
	return []usher.Profile{
		idfa, aaid, android,
		{Type: usher.IDFA, Case: usher.Lower}, {Type: usher.AAID, Case: usher.Upper}, {Type: usher.AndroidID, Case: usher.Upper},
		{Type: usher.IDFA, Hyphens: no()}, {Type: usher.AAID, Hyphens: no()}, {Type: usher.AndroidID, Hyphens: no()},
		{Type: usher.IDFA, Case: usher.Lower, Hyphens: no()}, {Type: usher.AAID, Case: usher.Upper, Hyphens: yes()},
	}
}

func newHasher(tb testing.TB, p usher.Profile, input usher.Input) *hashing.Hasher {
	tb.Helper()
	h, err := hashing.New(p, input)
	if err != nil {
		tb.Fatal(err)
	}
	return h
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		profile usher.Profile
		input   usher.Input
	}{
		"no type":           {usher.Profile{}, usher.InputRaw},
		"unknown type":      {usher.Profile{Type: "idfx"}, usher.InputRaw},
		"unknown case":      {usher.Profile{Type: usher.IDFA, Case: "Upper"}, usher.InputRaw},
		"android hyphens":   {usher.Profile{Type: usher.AndroidID, Hyphens: yes()}, usher.InputRaw},
		"input not decided": {idfa, usher.InputAuto},
		"unknown input":     {idfa, "sha1"},
	} {
		if h, err := hashing.New(test.profile, test.input); err == nil || h != nil {
			t.Errorf("%s: no error", name)
		}
	}
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
