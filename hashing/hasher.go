package hashing

import (
	"bytes"
	"fmt"

	"usher"
)

// Hasher turns values into digests by one profile. It has buffers of its own:
// one goroutine at a time.
type Hasher struct {
	input  usher.Input
	kind   usher.IDType
	fold   fold
	hyphen bool   // hash a UUID with its hyphens
	header []byte // the export's own header, in lower case; nil for none
	junk   *junk  // input md5 only

	kernel *kernel
	forms  [2]form // of lines of UUIDs
	lanes  *lanes
}

// lanes are messages gathered and not yet hashed.
type lanes struct {
	words   words
	stage   stage             // of those that are looked at before they are gathered
	rows    [Lanes + 16]int32 // of the messages
	count   int
	digests [Lanes + 16]Digest // where the output has no room for all that a kernel writes
	lines   lineIndex          // of lines that differ in length
	dirty   int                // the row that was the last dirty one
}

// New returns a hasher for profile. input is raw ("" means raw) or md5: auto
// must have been decided before (see DecideInput).
func New(profile usher.Profile, input usher.Input) (*Hasher, error) {
	if err := check(profile); err != nil {
		return nil, err
	}
	p := profile.Resolved()
	h := &Hasher{
		input: input, kind: p.Type, fold: foldTo(p.Case), hyphen: *p.Hyphens,
		kernel: &fastest, forms: forms(p.Case), lanes: new(lanes),
	}
	switch input {
	case usher.InputRaw, "":
		h.input = usher.InputRaw
	case usher.InputMD5:
		h.junk = newJunk()
	case usher.InputAuto:
		return nil, fmt.Errorf("make hasher: input %q must be decided on a sample of the export first: raw or md5", input)
	default:
		return nil, fmt.Errorf("make hasher: input %q is not known: use raw, md5 or auto", input)
	}
	return h, nil
}

// SetHeader names the export's own header: where it is repeated further down,
// it is junk (header), as the usual names of headers always are.
func (h *Hasher) SetHeader(name string) {
	header, _ := trim([]byte(name))
	h.header = bytes.ToLower(unquote(header))
}

func check(p usher.Profile) error {
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

// shape is that of the profile's messages.
func (h *Hasher) shape() shape {
	switch {
	case h.kind == usher.AndroidID:
		return short
	case h.hyphen:
		return hyphened
	}
	return bare
}
