package hashing_test

import (
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
