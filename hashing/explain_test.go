package hashing_test

import (
	"testing"

	"usher"
	"usher/hashing"
)

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
