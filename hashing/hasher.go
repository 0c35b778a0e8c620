package hashing

import (
	"bytes"
	"fmt"

	"usher"
)

// Hasher turns values into digests by one profile. It reuses its buffers, so only one
// goroutine may use it at a time.
type Hasher struct {
	input   usher.Input
	idType  usher.IDType
	fold    fold
	hyphens bool   // whether a UUID is hashed with its hyphens
	digests bool   // whether 32 hexadecimal digits are a digest, and not a UUID without hyphens
	header  []byte // the export's own header in lower case; nil if none is set
	junk    *junk  // nil unless input is md5

	documented      *examples // nil if input is md5, of which junk has them; the table is only of a Hasher by New
	firstDocumented int       // the index in Out of the first such digest that flush found; none: none

	kernel  *kernel
	takeOne func(h *Hasher, out *Out, in []byte) int
	forms   [2]form // of lines of UUIDs that end in \n and in \r\n
	lanes   *lanes
}

// none is the index of a digest that was not found.
const none = -1

// New returns a Hasher for a profile. input is raw or md5; "" means raw. The caller
// must resolve auto beforehand (see DecideInput).
func New(profile usher.Profile, input usher.Input) (*Hasher, error) {
	h, err := newSingle(profile, input)
	if err != nil {
		return nil, err
	}
	h.kernel, h.takeOne = &fastest, takeOneOf(input, h.idType)
	h.forms, h.lanes = newForms(profile.Resolved().Case), new(lanes)
	if h.input == usher.InputRaw {
		h.documented = examplesOf(exampleForm{android: h.idType == usher.AndroidID, upper: profile.Resolved().Case == usher.Upper, hyphens: h.hyphens})
	}
	return &h, nil
}

// newSingle returns a Hasher that only has Hash. It is small, for a caller that needs many.
func newSingle(profile usher.Profile, input usher.Input) (h Hasher, err error) {
	if err := checkProfile(profile); err != nil {
		return h, err
	}
	p := profile.Resolved()
	h = Hasher{input: input, idType: p.Type, fold: foldTo(p.Case), hyphens: *p.Hyphens}
	switch input {
	case usher.InputRaw, "":
		h.input = usher.InputRaw
	case usher.InputMD5:
		h.junk = allJunk()
	case usher.InputAuto:
		return h, fmt.Errorf("make hasher: input %q must be decided on a sample of the export first: raw or md5", input)
	default:
		return h, fmt.Errorf("make hasher: input %q is not known: use raw, md5 or auto", input)
	}
	return h, nil
}

func checkProfile(p usher.Profile) error {
	switch p.Type {
	case usher.IDFA, usher.AAID:
	case usher.AndroidID:
		if p.Hyphens != nil && *p.Hyphens {
			return fmt.Errorf("check profile: an android_id has no hyphens: leave out hyphens")
		}
	default:
		return fmt.Errorf("check profile: type %q is not known: use idfa, aaid or android_id", p.Type)
	}
	switch p.Case {
	case usher.Upper, usher.Lower, "":
		return nil
	}
	return fmt.Errorf("check profile: case %q is not known: use upper or lower", p.Case)
}

// SetHeader sets the name of the export's id column. A row that repeats it is junk
// with the reason Header, as are the usual names of such columns.
func (h *Hasher) SetHeader(name string) {
	header, _ := trim([]byte(name))
	h.header = bytes.ToLower(unquote(header))
}

// SetHyphens says that the ids have hyphens. Then 32 hexadecimal digits count as LooksHashed: one
// MD5 digest in 64 has the form of a UUID of version 4 without hyphens.
func (h *Hasher) SetHyphens() { h.digests = true }

// Hash returns the digest of a single value, or the reason why it has none. A blank
// value has the reason Empty.
func (h *Hasher) Hash(value []byte) (Digest, Reason) {
	var d Digest
	for len(value) > 0 && value[len(value)-1] == '\n' {
		value = value[:len(value)-1]
	}
	if len(value) > MaxLine {
		return d, Shape
	}
	value, _ = trim(value)
	if len(value) == 0 {
		return d, Empty
	}
	id, reason := h.judge(value)
	switch {
	case reason != None:
	case h.input == usher.InputMD5:
		d.parse((*[HexLen]byte)(id))
	default:
		var b block
		h.canonical(&b, id)
		sumPair(&b, &b, &d, &d)
		if reason = documentedIDs()[d]; reason != None {
			d = Digest{}
		}
	}
	return d, reason
}

// layout returns the layout of the messages that h hashes.
func (h *Hasher) layout() layout {
	switch {
	case h.idType == usher.AndroidID:
		return shortLayout
	case h.hyphens:
		return hyphenLayout
	}
	return bareLayout
}
