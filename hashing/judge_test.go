package hashing_test

import (
	"fmt"
	"strings"
	"testing"

	"usher"
	"usher/hashing"
)

// TestVectors checks digests that were computed by other programs.
func TestVectors(t *testing.T) {
	t.Parallel()
	const first, second = "3b667154ffa2bc3adf2f41136344aaee", "f2d1311ca5c1ecb214c19a26e9ddbad0"
	lower := usher.Profile{Type: usher.IDFA, Case: usher.Lower}
	for _, test := range []struct {
		profile       usher.Profile
		value, digest string
	}{
		{idfa, "5AAB8704-4D8C-4879-8993-C6DD8361F88F", first},
		{lower, "5AAB8704-4D8C-4879-8993-C6DD8361F88F", "a10b0a8b632605b13afa75a58fd875c6"},
		{idfa, "6D92078A-8246-4BA4-AE5B-76104861E7DC", second},
		{idfa, "6d92078a-8246-4ba4-ae5b-76104861e7dc", second},
		{idfa, `"6D92078A-8246-4BA4-AE5B-76104861E7DC"`, second},
		{idfa, "{6D92078A-8246-4BA4-AE5B-76104861E7DC}", second},
		{idfa, `"{6D92078A-8246-4BA4-AE5B-76104861E7DC}"`, second},
		{idfa, " 6D92078A-8246-4BA4-AE5B-76104861E7DC ", second},
		{idfa, "' 6D92078A-8246-4BA4-AE5B-76104861E7DC '", second},
		{idfa, "\u00a0\t6D92078A-8246-4BA4-AE5B-76104861E7DC\u00a0", second},
		{idfa, "6D92078A-8246-4BA4-AE5B-76104861E7DC\r", second},
		{idfa, "\ufeff6D92078A-8246-4BA4-AE5B-76104861E7DC", second},
		{idfa, "6D92078A82464BA4AE5B76104861E7DC", second},
		{aaid, "97987bca-ae59-4c7d-94ba-ee4f19ab8c21", "ba06c008973b8a1bff6e087c6149227f"},
		{aaid, "97987BCA-AE59-4C7D-94BA-EE4F19AB8C21", "ba06c008973b8a1bff6e087c6149227f"},
		{android, "af3802a465767e36", "2f5f1d331f6c8f887f623b08fdda07b3"},
		{android, "AF3802A465767E36", "2f5f1d331f6c8f887f623b08fdda07b3"},
		{android, "{af3802a465767e36}", "2f5f1d331f6c8f887f623b08fdda07b3"},
		{android, "0a1b2c3d4e5f6071", "dac262424f700e4c7e4573e2d464c752"},
		{android, "a1b2c3d4e5f6071", "625ed225da8e5b8cff961f5c25017c40"},
	} {
		for _, end := range []string{"\n", "\r\n", ""} {
			out := hashing.NewOut(10, 10)
			// The second line lets the first take the path of clean lines.
			in := []byte(test.value + end)
			if end != "" {
				in = append(in, "null\n"...)
			}
			used := newHasher(t, test.profile, usher.InputRaw).Lines(out, in, false, true)
			if used != len(in) || len(out.Digests) != 1 || out.Digests[0].String() != test.digest {
				t.Errorf("%v %q%q: %v (%d of %d bytes used), want %s", test.profile, test.value, end, out.Digests, used, len(in), test.digest)
			}
		}
	}
}

// TestReasons checks the reasons of values that must not be hashed, one by one and as many equal
// lines, because clean lines do not reach judge. Each reason needs an example here.
func TestReasons(t *testing.T) {
	t.Parallel()
	const uuid, zero = "6D92078A-8246-4BA4-AE5B-76104861E7DC", "00000000-0000-0000-0000-000000000000"
	const md5Of, sha1Of = "f2d1311ca5c1ecb214c19a26e9ddbad0", "f2d1311ca5c1ecb214c19a26e9ddbad0f2d1311c"
	found := map[hashing.Reason]bool{}
	for _, test := range []struct {
		profile usher.Profile
		input   usher.Input
		value   string
		want    hashing.Reason
	}{
		{idfa, "", zero, hashing.ZeroID},
		{idfa, "", "{" + zero + "}", hashing.ZeroID},
		{idfa, "", "00000000000000000000000000000000", hashing.ZeroID},
		{aaid, "", "FFFFFFFF-ffff-FFFF-ffff-FFFFFFFFFFFF", hashing.ZeroID},
		{android, "", "0000000000000000", hashing.ZeroID},
		{android, "", "00", hashing.ZeroID},
		{android, "", zero, hashing.WrongType},
		{android, "", uuid, hashing.WrongType},
		{idfa, "", "0000000000000000", hashing.WrongType},
		{idfa, "", "af3802a465767e36", hashing.WrongType},
		{idfa, "", "{af3802a465767e36}", hashing.WrongType},
		{idfa, "", "af3802a465767e3", hashing.Shape},
		{android, "", "9774d56d682e549c", hashing.SharedID},
		{android, "", "9774D56D682E549C", hashing.SharedID},
		{idfa, "", "9774d56d682e549c", hashing.SharedID},
		{idfa, "", "490154203237518", hashing.OtherID},
		{android, "", "490154203237518", hashing.OtherID},
		{android, "", "490154203237517", hashing.None}, // not an IMEI: the check digit is wrong
		{android, "", "356938035643809", hashing.OtherID},
		{android, "", "256938035643801", hashing.None}, // the check digit is right, but nobody issues such an IMEI
		{android, "", "1.2E+15", hashing.Spreadsheet},
		{android, "", "1,23457E+15", hashing.Spreadsheet},
		{android, "", "1.e15", hashing.Spreadsheet},
		{android, "", "-1E-05", hashing.Spreadsheet},
		{idfa, "", `"1.23457E+31"`, hashing.Spreadsheet},
		{idfa, "md5", "1.23457E+31", hashing.Spreadsheet},
		{android, "", "1234567890123450.0", hashing.Spreadsheet},
		{android, "", "1.234.567.890.123.450", hashing.Spreadsheet},
		{android, "", "1 234 567 890 123 450", hashing.Spreadsheet},
		{android, "", "1\u202f234\u202f567\u202f890\u202f123\u202f450", hashing.Spreadsheet},
		{android, "", "#NAME?", hashing.Spreadsheet},
		{android, "", "#BEZUG!", hashing.Spreadsheet},
		{android, "", "#DIV/0!", hashing.Spreadsheet},
		{android, "", "########", hashing.Spreadsheet},
		{android, "", "Err:502", hashing.Spreadsheet},
		{android, "", "inf", hashing.Spreadsheet},
		{android, "", "#", hashing.Shape},
		{android, "", "#4", hashing.Shape},
		{android, "", "192.168.100.200", hashing.Shape},
		{android, "", "12.50", hashing.Shape},
		{android, "", "2026-11-28", hashing.Shape},
		{android, "", "123456789012e123", hashing.None}, // hexadecimal digits
		{android, "", "1e15", hashing.Shape},
		{android, "", "DE", hashing.Shape},
		{android, "", "20", hashing.Shape},
		{android, "", "dead", hashing.Shape},
		{android, "", "20240101", hashing.Shape},
		{android, "", "a1b2c3d4e", hashing.None},
		{android, "", "1234567890abcdef", hashing.Placeholder},
		{android, "", `"1234567890ABCDEF"`, hashing.Placeholder},
		{idfa, "", "550E8400-E29B-41D4-A716-446655440000", hashing.Placeholder},
		{aaid, "", "{550e8400-e29b-41d4-a716-446655440000}", hashing.Placeholder},
		{aaid, "", "550e8400e29b41d4a716446655440000", hashing.Placeholder},
		{idfa, "md5", refMD5("550E8400-E29B-41D4-A716-446655440000"), hashing.Placeholder},
		{aaid, "md5", refMD5("550e8400e29b41d4a716446655440000"), hashing.Placeholder},
		{android, "md5", refMD5("1234567890abcdef"), hashing.Placeholder},
		{android, "", "000000000000000", hashing.ZeroID},
		{idfa, "", "02:00:00:00:00:00", hashing.OtherID},
		{idfa, "", "02-AB-cd-00-00-00", hashing.OtherID},
		{idfa, "", "02ab.cd00.0000", hashing.OtherID},
		{idfa, "", `""`, hashing.Empty},
		{idfa, "", "null", hashing.Placeholder},
		{idfa, "", "NULL", hashing.Placeholder},
		{idfa, "", "(null)", hashing.Placeholder},
		{idfa, "", "N/A", hashing.Placeholder},
		{idfa, "", `"NaN"`, hashing.Placeholder},
		{idfa, "", "-", hashing.Placeholder},
		{android, "", "0", hashing.Placeholder},
		{idfa, "", `\N`, hashing.Placeholder},
		{android, "", `"\N"`, hashing.Placeholder},
		{idfa, "", `\n`, hashing.Shape},
		{idfa, "", "NA", hashing.Placeholder},
		{android, "", "na", hashing.Placeholder},
		{idfa, "", "#N/A", hashing.Placeholder},
		{idfa, "", "<NA>", hashing.Placeholder},
		{idfa, "", "[NA]", hashing.Macro},
		{idfa, "", "NaT", hashing.Placeholder},
		{idfa, "", "<null>", hashing.Placeholder},
		{idfa, "", "(none)", hashing.Placeholder},
		{idfa, "", "(None)", hashing.Placeholder},
		{idfa, "", "(not set)", hashing.Placeholder},
		{idfa, "", "<none>", hashing.Shape},
		{idfa, "", "{ifa}", hashing.Macro},
		{idfa, "", "{}", hashing.Macro},
		{idfa, "", "${adid}", hashing.Macro},
		{idfa, "", "${" + uuid + "}", hashing.Macro},
		{idfa, "", "{null}", hashing.Macro},
		{idfa, "", "{{idfa}}", hashing.Macro},
		{idfa, "", `{"idfa":"` + uuid + `"}`, hashing.Malformed},
		{idfa, "", `{ "idfa": null }`, hashing.Malformed},
		{idfa, "", `{"idfa"}`, hashing.Macro},
		{idfa, "", "{idfa:upper}", hashing.Macro},
		{idfa, "", "[replace_me]", hashing.Macro},
		{idfa, "", "%ifa%", hashing.Macro},
		{idfa, "", "%5Bifa%5D", hashing.Macro},
		{idfa, "", "%5bifa%5d", hashing.Macro},
		{idfa, "", "%", hashing.Shape},
		{idfa, "", "IDFA(s)", hashing.Header},
		{android, "", "android_id", hashing.Header},
		{idfa, "", "advertising_id", hashing.Header},
		{idfa, "", "Kennung", hashing.Header}, // set as the export's own header below
		{idfa, "", "Kennungen", hashing.Shape},
		{idfa, "", md5Of, hashing.LooksHashed},
		{android, "", md5Of, hashing.LooksHashed},
		{android, "", "6D92078A82464BA4AE5B76104861E7DC", hashing.LooksHashed},
		{idfa, "", sha1Of, hashing.SHA1},
		{idfa, "", "0000000000000000000000000000000000000000", hashing.SHA1},
		{idfa, "", md5Of + md5Of, hashing.SHA256},
		{idfa, "", uuid + "0", hashing.Shape},
		{idfa, "", "6D92078A-8246-1BA4-1E5B-76104861E7DC", hashing.None}, // with hyphens, every version is an id
		{idfa, "", "6D92078A82461BA41E5B76104861E7DC", hashing.LooksHashed},
		{idfa, "", uuid + "\n" + uuid, hashing.Shape},
		{idfa, "md5", md5Of, hashing.None},
		{idfa, "md5", "F2D1311CA5C1ECB214C19A26E9DDBAD0", hashing.None},
		{idfa, "md5", "9f89c84a559f573636a47ff8daed0d33", hashing.ZeroID},
		{aaid, "md5", "9F89C84A559F573636A47FF8DAED0D33", hashing.ZeroID},
		{idfa, "md5", "cf95dc53f383f9a836fd749f3ef439cd", hashing.SharedID},
		{idfa, "md5", "d41d8cd98f00b204e9800998ecf8427e", hashing.Empty},
		{idfa, "md5", "37a6259cc0c1dae299a7866489dff0bd", hashing.Placeholder},
		{idfa, "md5", "ad921d60486366258809553a3db49a4a", hashing.Placeholder},
		{idfa, "md5", refMD5(`\N`), hashing.Placeholder},
		{aaid, "md5", refMD5("<NA>"), hashing.Placeholder},
		{android, "md5", refMD5("NaT"), hashing.Placeholder},
		{idfa, "md5", refMD5("(not set)"), hashing.Placeholder},
		{idfa, "md5", "00000000000000000000000000000000", hashing.ZeroID},
		{idfa, "md5", uuid, hashing.WrongType},
		{android, "md5", "af3802a465767e36", hashing.WrongType},
		{idfa, "md5", sha1Of, hashing.SHA1},
		{idfa, "md5", "md5", hashing.Header},
		{idfa, "md5", "{f2d1311ca5c1ecb214c19a26e9ddbad0}", hashing.None},
	} {
		h := newHasher(t, test.profile, test.input)
		h.SetHeader(` "KENNUNG"`)
		digest, reason := h.Hash([]byte(test.value))
		if reason != test.want {
			t.Errorf("%v, input %q, %q: reason %q, want %q", test.profile, test.input, test.value, reason, test.want)
		}
		if none := digest == (hashing.Digest{}); none != (test.want != hashing.None) {
			t.Errorf("%v, input %q, %q: digest %v with reason %q", test.profile, test.input, test.value, digest, reason)
		}
		want := row{digest: digest.String()}
		if reason != hashing.None {
			want = row{reason: reason.String()}
		}
		checkEqualLines(t, h, fmt.Sprintf("%v, input %q, %q", test.profile, test.input, test.value), test.value, want)
		found[test.want] = true
	}
	for r := range hashing.Withheld {
		if !found[r] {
			t.Errorf("no example has the reason %d, %q", r, r)
		}
	}
}

// checkEqualLines checks the rows of many equal lines, with each kernel and both line endings.
func checkEqualLines(t *testing.T, h *hashing.Hasher, what, value string, want row) {
	t.Helper()
	if strings.Contains(value, "\n") {
		return
	}
	for _, k := range hashing.Kernels() {
		k.Use(h)
		for _, end := range []string{"\n", "\r\n"} {
			const lines = hashing.Lanes + 50
			rows := rowsOf(t, h, strings.Repeat(value+end, lines), true, 2*lines, 2*lines)
			if len(rows) != lines {
				t.Errorf("%s, %v: %d rows, want %d", what, k, len(rows), lines)
			}
			for i, got := range rows {
				if got != want {
					t.Errorf("%s, %v: line %d of %d equal lines is %v, want %v as a single value", what, k, i+1, lines, got, want)
					break
				}
			}
		}
	}
}

// TestHyphens checks that 32 digits are a digest if the ids have hyphens.
func TestHyphens(t *testing.T) {
	t.Parallel()
	const compact = "6D92078A82464BA4AE5B76104861E7DC" // an MD5 digest may have this form
	h := newHasher(t, idfa, "")
	if _, reason := h.Hash([]byte(compact)); reason != hashing.None {
		t.Errorf("%s without hyphens: %v", compact, reason)
	}
	h.SetHyphens()
	for value, want := range map[string]hashing.Reason{
		compact: hashing.LooksHashed, "{" + compact + "}": hashing.LooksHashed,
		"6D92078A-8246-4BA4-AE5B-76104861E7DC": hashing.None, "00000000000000000000000000000000": hashing.ZeroID,
	} {
		if _, reason := h.Hash([]byte(value)); reason != want {
			t.Errorf("%s: %v, want %v", value, reason, want)
		}
	}
}

// TestMD5PassesThrough checks that digests are not hashed again.
func TestMD5PassesThrough(t *testing.T) {
	t.Parallel()
	digest, _ := newHasher(t, idfa, usher.InputMD5).Hash([]byte("F2D1311CA5C1ECB214C19A26E9DDBAD0"))
	if got := digest.String(); got != "f2d1311ca5c1ecb214c19a26e9ddbad0" {
		t.Errorf("the digest became %s", got)
	}
}

// TestReasonKeys checks the keys of the tally, which are a contract.
func TestReasonKeys(t *testing.T) {
	t.Parallel()
	junk := []string{"zero_id", "shared_id", "other_id", "placeholder", "macro", "header", "empty", "spreadsheet"}
	invalid := []string{"shape", "looks_hashed", "sha1", "sha256", "wrong_type", "malformed"}
	var counts hashing.Counts
	for r := hashing.None + 1; r < hashing.Withheld; r++ {
		counts[r] = int64(r)
		if r.Junk() == r.Invalid() {
			t.Errorf("%v: junk %v, invalid %v", r, r.Junk(), r.Invalid())
		}
	}
	var tally usher.Tally
	counts.AddTo(&tally, nil)
	for i, key := range junk {
		if tally.Junk[key] != int64(i+1) {
			t.Errorf("junk.%s is %d, want %d", key, tally.Junk[key], i+1)
		}
	}
	for i, key := range invalid {
		if tally.Invalid[key] != int64(len(junk)+i+1) {
			t.Errorf("invalid.%s is %d, want %d", key, tally.Invalid[key], len(junk)+i+1)
		}
	}
	counts[hashing.Withheld+1] = 5
	var withheld usher.Tally
	counts.AddTo(&withheld, []string{"lat", "consent"})
	if withheld.Withheld.Sum() != 5 || withheld.Withheld["consent"] != 5 || withheld.Invalid[usher.Malformed] != tally.Invalid[usher.Malformed] {
		t.Errorf("withheld %v, malformed %d", withheld.Withheld, withheld.Invalid[usher.Malformed])
	}
	if counts.AddTo(&withheld, nil); withheld.Invalid[usher.Malformed] != 2*tally.Invalid[usher.Malformed]+5 {
		t.Errorf("a row that no column withholds counts as %v", withheld.Invalid)
	}
	if len(tally.Junk) != len(junk) || len(tally.Invalid) != len(invalid) {
		t.Errorf("unexpected keys: %v %v", tally.Junk, tally.Invalid)
	}
}

func TestIsUnlikely(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{
		"DE":               true,
		"1001":             true,
		`"1001"`:           true,
		"49170123456":      true,
		"4915112345678":    true,
		"1234567890123456": true,
		"bad":              true,

		"9f86d081884c7d65":                     false,
		"f86d081884c7d":                        false,
		"F86D081884C7D":                        false,
		"":                                     false,
		"0":                                    false, // zero_id
		"0000000000000000":                     false,
		"490154203237518":                      false, // an IMEI
		"Smith":                                false,
		"null":                                 false,
		"12345678901234567":                    false, // too long
		"6D92078A-8246-4BA4-AE5B-76104861E7DC": false,
	} {
		if got := hashing.IsUnlikely([]byte(value)); got != want {
			t.Errorf("IsUnlikely(%q) = %v", value, got)
		}
	}
}
