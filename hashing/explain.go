package hashing

import "usher"

// Variant is the result of one profile for a value.
type Variant struct {
	Profile usher.Profile // with its case and hyphens set
	Default bool          // whether it is the default profile of its type
	Digest  string        // lower-case hex; "" if Reason is not None
	Reason  Reason
}

// Explain returns the results of all profiles for a raw value: each type in each case,
// with and without hyphens. The default profile of a type comes first.
func Explain(value string) []Variant {
	var all []Variant
	for _, t := range []usher.IDType{usher.IDFA, usher.AAID, usher.AndroidID} {
		for i, p := range profilesOf(t) {
			v := explain(p, value)
			v.Default = i == 0
			all = append(all, v)
		}
	}
	return all
}

// profilesOf returns the profiles of a type, its default first.
func profilesOf(t usher.IDType) []usher.Profile {
	standard := usher.Profile{Type: t}.Resolved()
	all := []usher.Profile{standard}
	for _, c := range []usher.Case{usher.Upper, usher.Lower} {
		for _, hyphens := range []bool{true, false} {
			same := c == standard.Case && hyphens == *standard.Hyphens
			if same || (hyphens && t == usher.AndroidID) {
				continue
			}
			all = append(all, usher.Profile{Type: t, Case: c, Hyphens: &hyphens})
		}
	}
	return all
}

func explain(p usher.Profile, value string) Variant {
	v := Variant{Profile: p}
	h, err := New(p, usher.InputRaw)
	if err != nil {
		v.Reason = Shape
		return v
	}
	d, reason := h.Hash([]byte(value))
	if v.Reason = reason; reason == None {
		v.Digest = d.String()
	}
	return v
}
