package hashing

import (
	"encoding/base64"
	"errors"

	"usher"
)

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

// Forms returns the digests of all forms in which a raw id may have been hashed: those of
// every profile. A UUID has four, an ANDROID_ID two. They are not sorted, and may be equal.
// If the value is not an id, Forms returns the reason.
func Forms(value []byte) ([]Digest, Reason) {
	digests, why := formsOf(usher.IDFA, value) // the forms of an AAID are those of an IDFA
	if why == None {
		return digests, None
	}
	digests, reason := formsOf(usher.AndroidID, value)
	if reason != None && why != Shape && why != WrongType {
		reason = why
	}
	return digests, reason
}

// formsOf returns the digests of a value by all profiles of a type.
func formsOf(t usher.IDType, value []byte) (digests []Digest, _ Reason) {
	for _, p := range profilesOf(t) {
		h, err := newSingle(p, usher.InputRaw)
		if err != nil {
			return nil, Shape
		}
		d, reason := h.Hash(value)
		if reason != None {
			return nil, reason
		}
		digests = append(digests, d)
	}
	return digests, None
}

// The numbers of forms of a UUID and of an ANDROID_ID.
const (
	UUIDForms    = 4
	AndroidForms = 2
)

// EncodeForms returns the digests of the forms of an id as one text: a single digest in hex,
// several in base64, which keeps 10,000 ids below the size of a message of NATS.
func EncodeForms(digests []Digest) string {
	if len(digests) == 1 {
		return digests[0].String()
	}
	var all []byte
	for i := range digests {
		all = append(all, digests[i][:]...)
	}
	return base64.RawStdEncoding.EncodeToString(all)
}

var errForms = errors.New("is not an MD5 digest of 32 hex characters")

// DecodeForms returns the digests in a text of EncodeForms. The forms of a single digest are
// not known.
func DecodeForms(text string) ([]Digest, error) {
	if len(text) == HexLen {
		h, err := newSingle(usher.Profile{Type: usher.IDFA}, usher.InputMD5)
		if err != nil {
			return nil, err
		}
		d, reason := h.Hash([]byte(text))
		if reason != None {
			return nil, errForms
		}
		return []Digest{d}, nil
	}
	all, err := base64.RawStdEncoding.DecodeString(text)
	n := len(all) / len(Digest{})
	if err != nil || len(all)%len(Digest{}) != 0 || n != UUIDForms && n != AndroidForms {
		return nil, errForms
	}
	digests := make([]Digest, n)
	for i := range digests {
		copy(digests[i][:], all[i*len(Digest{}):])
	}
	return digests, nil
}
