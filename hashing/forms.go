package hashing

import (
	"encoding/base64"
	"errors"

	"usher"
)

// Forms returns the digests of all forms in which a raw id may have been hashed: those of
// every profile. A UUID has four, an ANDROID_ID two. They are not sorted, and may be equal.
// It returns why a value is no id.
func Forms(value []byte) (digests []Digest, _ Reason) {
	why := Shape
	for _, t := range []usher.IDType{usher.IDFA, usher.AndroidID} { // the forms of an AAID are those of an IDFA
		for _, p := range profilesOf(t) {
			h, err := New(p, usher.InputRaw)
			if err != nil {
				return nil, Shape
			}
			d, reason := h.Hash(value)
			if reason != None {
				if why == Shape || why == WrongType {
					why = reason
				}
				break
			}
			digests = append(digests, d)
		}
		if len(digests) > 0 {
			return digests, None
		}
	}
	return nil, why
}

// UUIDForms is the number of forms of a UUID, AndroidForms that of an ANDROID_ID.
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

var errForms = errors.New("is no MD5 digest of 32 hex characters")

// DecodeForms returns the digests in a text of EncodeForms. The forms of a single digest are
// not known.
func DecodeForms(text string) ([]Digest, error) {
	if len(text) == HexLen {
		h, err := New(usher.Profile{Type: usher.IDFA}, usher.InputMD5)
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
