package hashing

import "usher"

// Variant is what one profile makes of a value.
type Variant struct {
	Profile usher.Profile // its case and hyphens said
	Default bool          // what the profile's short form stands for
	Digest  string        // lower-case hex; "" where Reason says why there is none
	Reason  Reason
}

// Explain returns what every profile makes of a raw value: each type in each
// case, with and without hyphens, a type's default first.
func Explain(value string) []Variant {
	var all []Variant
	for _, t := range []usher.IDType{usher.IDFA, usher.AAID, usher.AndroidID} {
		standard := usher.Profile{Type: t}.Resolved()
		all = append(all, explain(standard, value))
		for _, c := range []usher.Case{usher.Upper, usher.Lower} {
			for _, hyphens := range []bool{true, false} {
				p := usher.Profile{Type: t, Case: c, Hyphens: &hyphens}
				same := c == standard.Case && hyphens == *standard.Hyphens
				if same || (hyphens && t == usher.AndroidID) {
					continue
				}
				all = append(all, explain(p, value))
			}
		}
		all[len(all)-variants(t)].Default = true
	}
	return all
}

func variants(t usher.IDType) int {
	if t == usher.AndroidID {
		return 2
	}
	return 4
}

func explain(p usher.Profile, value string) Variant {
	v := Variant{Profile: p}
	h, err := New(p, usher.InputRaw)
	if err != nil {
		v.Reason = Shape
		return v
	}
	d, reason := h.One([]byte(value))
	if v.Reason = reason; reason == None {
		v.Digest = d.String()
	}
	return v
}
