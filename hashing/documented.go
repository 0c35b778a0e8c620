package hashing

import (
	"bytes"
	"crypto/md5" //nolint:gosec // the platform requires MD5
	"encoding/binary"
	"strings"
	"sync"
)

// documented are ids that name no device, because documentation has them as examples: people copy
// them into exports, and test data are made of them. They are placeholders. The id that the
// platform's own documentation has, 6D92078A-8246-4BA4-AE5B-76104861E7DC, is hashed, so that its
// examples can be followed.
var documented = []struct {
	source string
	ids    string // UUIDs with hyphens, or ANDROID_IDs
}{
	{"RFC 4122, section 3, and RFC 9562, section 4", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"},
	{"RFC 9562, section 6.6, namespaces", `6ba7b810-9dad-11d1-80b4-00c04fd430c8 6ba7b811-9dad-11d1-80b4-00c04fd430c8
		6ba7b812-9dad-11d1-80b4-00c04fd430c8 6ba7b814-9dad-11d1-80b4-00c04fd430c8`},
	{"RFC 9562, appendices A and B", `c232ab00-9414-11ec-b3c8-9f6bdeced846 5df41881-3aed-3515-88a7-2f4a814cf09e
		919108f7-52d1-4320-9bac-f847db4148a8 2ed6657d-e927-568b-95e1-2665a8aea6a2 1ec9414c-232a-6b00-b3c8-9f6bdeced846
		017f22e2-79b0-7cc3-98c4-dc0c0c07398f 2489e9ad-2ee2-8e00-8ec9-32d5f69181c0 5c146b14-3c52-8afd-938a-375d0df1fbf6`},
	{"Wikipedia, Universally unique identifier, of several years", `550e8400-e29b-41d4-a716-446655440000
		123e4567-e89b-12d3-a456-426614174000 123e4567-e89b-12d3-a456-426655440000 f47ac10b-58cc-4372-a567-0e02b2c3d479
		21ec2020-3aea-1069-a2dd-08002b30309d 3f2504e0-4f89-11d3-9a0c-0305e82c3301 3f2504e0-4f89-41d3-9a0c-0305e82c3301`},
	{"developer.android.com, Advertising ID", "38400000-8cf0-11bd-b23e-10b96e40000d"},
	{"Google Ads and Reddit Ads, conversions of mobile devices", "cdda802e-fb9c-47ad-9866-0794d394c912 ea7583cd-a667-48bc-b806-42ecb2b48606"},
	{"Adobe Experience Platform, identity namespaces and destinations", `aebe52e7-03ee-455a-b3c4-e57283966239
		e4fe9bde-caa0-47b6-908d-ffba3fa184f2 8a2e4f6d-0852-4b2a-b9d5-79334de14b16`},
	{"Swagger UI and Redoc, example of the format uuid", "3fa85f64-5717-4562-b3fc-2c963f66afa6 497f6eca-6276-4993-bfeb-53cbbbba6f08"},
	{"PostgreSQL, UUID Type", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"},
	{"Python, module uuid", `16fd2706-8baf-433b-82eb-8c7fada847da a8098c1a-f86e-11da-bd1a-00112444be1e
		6fa459ea-ee8a-3ca4-894e-db77e160355e 886313e1-3b8a-5372-9b90-0c9aee199e5d
		00010203-0405-0607-0809-0a0b0c0d0e0f 12345678-1234-5678-1234-567812345678`},
	{"npm, package uuid", `9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d 1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed
		6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b d9428888-122b-11e1-b85c-61cd3cbb3210`},
	{"Microsoft, System.Guid", "936da01f-9abd-4d9d-80c7-02af85c822a8"},
	{"digits counted up, and groups of equal digits, in many manuals", `12345678-1234-1234-1234-123456789012
		12345678-1234-1234-1234-123456789abc 12345678-1234-4234-8234-123456789012 12345678-1234-4123-8123-123456789012
		12345678-1234-4321-8765-123456789012 12345678-9abc-def0-1234-56789abcdef0 12345678-90ab-cdef-1234-567890abcdef
		01234567-89ab-cdef-0123-456789abcdef 01234567-89ab-4cde-8f01-23456789abcd a1b2c3d4-e5f6-7890-abcd-ef1234567890
		a1b2c3d4-e5f6-4789-abcd-ef0123456789 a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c5d 11111111-2222-3333-4444-555555555555
		aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee 00000000-0000-4000-8000-000000000000 11111111-1111-4111-8111-111111111111
		ffffffff-ffff-4fff-bfff-ffffffffffff deadbeef-dead-beef-dead-beefdeadbeef`},
	{"digits counted up or down, pairs of equal digits, and words of hexadecimal digits, in many manuals", `1234567890abcdef
		0123456789abcdef 123456789abcdef0 123456789abcdef abcdef1234567890 abcdef0123456789 fedcba9876543210 fedcba0987654321
		0987654321fedcba 1234567890123456 0123456789012345 1234567812345678 1234567887654321 1122334455667788
		0011223344556677 8877665544332211 aabbccddeeff0011 aabbccddeeff1122 00112233aabbccdd abcdefabcdefabcd
		abcdabcdabcdabcd 1234123412341234 1234abcd1234abcd abcd1234abcd1234 a1b2c3d4e5f67890
		a1b2c3d4e5f6a7b8 deadbeefdeadbeef deadbeefcafebabe cafebabedeadbeef cafebabecafebabe deadbeef12345678
		deadbeef00000000 dead00beef000000 0badc0de0badc0de`},
}

// documentedIDs has the digests of these ids in all forms. It is never changed.
var documentedIDs = sync.OnceValue(func() map[Digest]Reason {
	digests := map[Digest]Reason{}
	for _, d := range documented {
		for id := range strings.FieldsSeq(d.ids) {
			for _, form := range []string{id, strings.ReplaceAll(id, "-", "")} {
				for _, text := range []string{form, strings.ToUpper(form)} {
					digests[md5.Sum([]byte(text))] = Placeholder //nolint:gosec // the platform requires MD5
				}
			}
		}
	}
	return digests
})

// examples are the digests of documented ids in the form that a Hasher gives them. It is never
// changed.
type examples struct {
	table   [1 << 14]uint8 // 1 for some of the first bits of each digest
	digests map[Digest]Reason
}

// exampleForm is what the form of an id depends on.
type exampleForm struct {
	android, upper, hyphens bool
}

// examplesOf returns the examples in a form. Hashers share them.
func examplesOf(form exampleForm) *examples {
	allExamples.Lock()
	defer allExamples.Unlock()
	if e := allExamples.of[form]; e != nil {
		return e
	}
	e := &examples{digests: documentedIDs()}
	for _, d := range documented {
		for id := range strings.FieldsSeq(d.ids) {
			if android := len(id) <= 16; android != form.android {
				continue
			}
			if !form.hyphens {
				id = strings.ReplaceAll(id, "-", "")
			}
			if form.upper {
				id = strings.ToUpper(id)
			}
			digest := Digest(md5.Sum([]byte(id))) //nolint:gosec // the platform requires MD5
			e.table[exampleKey(&digest)] = 1
		}
	}
	allExamples.of[form] = e
	return e
}

var allExamples = struct {
	sync.Mutex
	of map[exampleForm]*examples
}{of: map[exampleForm]*examples{}}

// exampleKey returns the place of a digest in a table of examples.
func exampleKey(d *Digest) int { return int(binary.LittleEndian.Uint16(d[:])) & (1<<14 - 1) }

// first returns the index of the first digest that is an example, or their number. It passes over
// most groups of digests without a branch for each.
func (e *examples) first(digests []Digest) int {
	const group = 16
	for at := 0; at < len(digests); at += group {
		some := digests[at:min(at+group, len(digests))]
		if !e.mayHave(some) {
			continue
		}
		for i := range some {
			if e.table[exampleKey(&some[i])] != 0 && e.digests[some[i]] != None {
				return at + i
			}
		}
	}
	return len(digests)
}

// mayHave reports whether one of some digests may be an example.
func (e *examples) mayHave(some []Digest) bool {
	found := uint8(0)
	for len(some) >= 4 {
		found |= e.table[exampleKey(&some[0])] | e.table[exampleKey(&some[1])] | e.table[exampleKey(&some[2])] | e.table[exampleKey(&some[3])]
		some = some[4:]
	}
	for i := range some {
		found |= e.table[exampleKey(&some[i])]
	}
	return found != 0
}

// dropDocumented moves the documented ids among the digests of lines to the rejects. It looks at
// the digests, so that the lines can be hashed without a look at what they say.
func (h *Hasher) dropDocumented(out *Out, in []byte, records bool) {
	first := h.firstDocumented
	kept, rejects := first, make([]Reject, 0, 1)
	lines := lineCounter{in: in, records: records}
	for i := first; i < len(out.Digests); i++ {
		row := out.Rows[i]
		if reason := h.documented.digests[out.Digests[i]]; reason != None {
			from, to := lines.bounds(row)
			rejects = append(rejects, Reject{Row: row, Reason: reason, From: from, To: to})
			continue
		}
		out.Digests[kept], out.Rows[kept] = out.Digests[i], row
		kept++
	}
	out.Digests, out.Rows = out.Digests[:kept], out.Rows[:kept]
	out.Rejects = mergeRejects(out.Rejects, rejects)
}

// mergeRejects inserts more rejects by their rows.
func mergeRejects(list, more []Reject) []Reject {
	at := len(list)
	list = append(list, more...)
	for to := len(list) - 1; len(more) > 0; to-- {
		last := len(more) - 1
		if at > 0 && list[at-1].Row > more[last].Row {
			at--
			list[to] = list[at]
			continue
		}
		list[to] = more[last]
		more = more[:last]
	}
	return list
}

// lineCounter finds the lines of rows, in ascending order.
type lineCounter struct {
	in      []byte
	records bool // blank lines are rows

	at  int   // where the next line begins
	row int32 // of that line, if it is one
}

// bounds returns the bounds of the value of a row.
func (l *lineCounter) bounds(row int32) (from, to int) {
	for l.at < len(l.in) {
		line := l.in[l.at:]
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			line = line[:end]
		}
		begin := l.at
		l.at += len(line) + 1
		if !l.records && isBlank(line) {
			continue
		}
		l.row++
		if l.row-1 == row {
			value, skipped := trim(line)
			return begin + skipped, begin + skipped + len(value)
		}
	}
	return len(l.in), len(l.in)
}
