package choose

import (
	"fmt"
	"strings"

	"usher"
	"usher/hashing"
	"usher/internal/exports/places"
)

// kindEvidence finds a column whose ids are of another kind than the job's: ANDROID_IDs, or UUIDs. The job counts
// them as invalid, and fails by their share, which says less than this warning.
func (s Search) kindEvidence(c *Column) []finding {
	ids := &c.spelling
	uuids, short, all := ids.uuids+ids.compact, ids.short-ids.unlikely, c.Filled
	n, what, hint := 0, "", ""
	switch {
	case s.Mixed || s.Input == usher.InputMD5 || c.Bytes || c.Lists > 0:
	case s.Type == usher.AndroidID && short == 0:
		n, what = ids.uuids, "UUIDs, as IDFAs and AAIDs are"
		hint = "set the profile to aaid if they are AAIDs; if they are IDFAs, submit a job with profile idfa to a segment of type IDFA; or set source.column to the column of the ANDROID_IDs"
	case s.Type == usher.AAID && uuids == 0:
		n, what = short, "ANDROID_IDs (16 hex digits, without hyphens)"
		hint = "set the profile to android_id if these ids are meant; or set source.column to the column of the AAIDs"
	case s.Type == usher.IDFA && uuids == 0:
		n, what = short, "ANDROID_IDs (16 hex digits, without hyphens)"
		hint = "ids of Android do not belong into a segment of iOS: submit a job with profile android_id to a segment of type ANDROID_ID; or set source.column to the column of the IDFAs"
	}
	if n == 0 || 10*n < 9*all {
		return nil
	}
	text := "sampled ids" + c.of() + " are " + what + ", and this job is for " + strings.ToUpper(string(s.Type)) + "s: " + hint
	return []finding{{code: usher.WarnOtherKind, n: n, all: all, text: text}}
}

// versions counts UUIDs with hyphens that are not of version 4.
type versions struct {
	other  int     // of another version, or of another variant
	by     [16]int // of these, by version
	dotnet int     // of these, those whose version 4 stands where .NET writes it
}

// count counts a UUID with hyphens.
func (v *versions) count(id []byte) {
	const version, variant, swapped = 14, 19, 16
	if !hashing.IsOtherVersion(id) {
		return
	}
	v.other++
	v.by[hexValue(id[version])]++
	v.dotnet += one(id[swapped] == '4' && strings.IndexByte("89abAB", id[variant]) >= 0)
}

// hexValue returns the value of a hexadecimal digit.
func hexValue(c byte) int {
	if c <= '9' {
		return int(c - '0')
	}
	return int(c|0x20-'a') + 10
}

// usual returns the version that most of them have, with their number.
func (v *versions) usual() (version, n int) {
	for i, of := range v.by {
		if of > n {
			version, n = i, of
		}
	}
	return version, n
}

// shapeEvidence finds ids that cannot be what the job takes them for, one by one or all of them.
func (s Search) shapeEvidence(from places.Origin, c *Column) []finding {
	s.Evidence.hyphens = s.Evidence.hyphens || c.spelling.hasDigests()
	found := append(s.spreadsheetEvidence(c), s.kindEvidence(c)...)
	for _, judge := range []func(places.Origin, *Column) ([]finding, error){s.wrappedEvidence, s.versionEvidence, s.androidEvidence} {
		more, err := judge(from, c)
		found = append(found, more...)
		s.Evidence.refuse(err)
	}
	return found
}

// versionEvidence finds ids that are no UUIDs of version 4, as the ids of phones are. It returns
// an error if most of them are none.
func (s Search) versionEvidence(from places.Origin, c *Column) ([]finding, error) {
	v, all := &c.spelling.version, c.spelling.uuids+c.spelling.versions
	uuids := s.Type == usher.IDFA || s.Type == usher.AAID
	if !uuids || s.AnyVersion || s.Input == usher.InputMD5 || v.other == 0 || 100*v.other < all {
		return nil, nil
	}
	what, hint := v.describe(s.Type)
	if mostOf := 2*v.other > all && v.other > 1; mostOf && !s.Mixed && !s.Removes {
		return nil, from.Broken(hint, "%d of %d sampled ids%s are no advertising ids: they %s", v.other, all, c.of(), what)
	}
	return []finding{{code: usher.WarnVersion, n: v.other, all: all, text: "sampled ids" + c.of() + " " + what + ": " + hint}}, nil
}

// describe says what the ids are, and what to do.
func (v *versions) describe(wanted usher.IDType) (what, hint string) {
	const anyway = "; if they are real, set source.anyVersion to true"
	version, n := v.usual()
	switch {
	case 10*v.dotnet >= 9*v.other:
		return "have their version where .NET and SQL Server write it: the bytes of their first three groups are in reverse order",
			"write the ids as text, as Guid.ToString() and CONVERT(char(36), id) do, or their bytes as Guid.ToByteArray(bigEndian: true) does" + anyway
	case 10*n >= 9*v.other:
		what = fmt.Sprintf("are UUIDs of version %d, and every %s is of version 4", version, wanted)
	default:
		what = fmt.Sprintf("are no UUIDs of version 4, as every %s is", wanted)
	}
	return what, "they are rather ids of customers, rows or events: set source.column to the column of device ids" + anyway
}

// androidEvidence finds ANDROID_IDs that a spreadsheet has changed: it returns an error if chance
// does not explain what they have in common.
func (s Search) androidEvidence(from places.Origin, c *Column) ([]finding, error) {
	if s.Type != usher.AndroidID || s.Input == usher.InputMD5 || c.Bytes {
		return nil, nil
	}
	n, all, what := c.spelling.android.damage()
	switch {
	case n == 0:
		return nil, nil
	case s.Removes:
		return []finding{{code: usher.WarnSpreadsheet, n: n, all: all, text: "sampled ids" + c.of() + " " + what + ": " + exportAgain}}, nil
	}
	return nil, from.Broken(exportAgain+"; if they are customer or telephone numbers, set source.column to the column of device ids",
		"%d of %d sampled ids%s %s", n, all, c.of(), what)
}

// spreadsheetEvidence finds values that a spreadsheet has changed.
func (s Search) spreadsheetEvidence(c *Column) []finding {
	n := c.spelling.changed
	if n == 0 {
		return nil
	}
	return []finding{{code: usher.WarnSpreadsheet, n: n, all: c.Filled, text: "sampled values" + c.of() + " were changed by a spreadsheet, such as 1.2E+15 or #NAME?: " + exportAgain}}
}

// of names the column in a sentence, "" if it has no label.
func (c *Column) of() string {
	if label := c.Label(); label != "" {
		return " of column " + label
	}
	return ""
}

// hasDigests reports whether the values of 32 digits without hyphens are digests and not UUIDs, although one
// digest in 64 looks like a UUID of version 4. Beside ids with hyphens they are digests, but for one case: most
// values have no hyphens, and nearly all of these look like UUIDs. Where no value has hyphens, they are digests
// if most look like none.
func (s *spelling) hasDigests() bool {
	if s.uuids == 0 {
		return 2*s.versions < s.compact
	}
	return s.uuids >= s.compact || s.versions*10 < s.compact*9
}
