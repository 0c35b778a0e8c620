package exports_test

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// randomIDs returns n ids of a kind, the same ones for the same seed.
func randomIDs(seed uint64, n int, id func(*rand.Rand) string) []string {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]string, n)
	for i := range out {
		out[i] = id(r)
	}
	return out
}

func randomUUID(format string) func(*rand.Rand) string {
	return func(r *rand.Rand) string {
		return fmt.Sprintf(format, r.Uint32(), r.Uint32()&0xffff, r.Uint32()&0xfff, r.Uint32()&0x3fff|0x8000, r.Uint64()&0xffffffffffff)
	}
}

func paddedID(r *rand.Rand) string   { return fmt.Sprintf("%016x", r.Uint64()) }
func unpaddedID(r *rand.Rand) string { return fmt.Sprintf("%x", r.Uint64()) }

var (
	randomIDFA    = randomUUID("%08X-%04X-4%03X-%04X-%012X")
	randomAAID    = randomUUID("%08x-%04x-4%03x-%04x-%012x")
	randomBare    = randomUUID("%08x%04x4%03x%04x%012x")
	randomVersion = func(version byte) func(*rand.Rand) string {
		return func(r *rand.Rand) string {
			id := []byte(randomAAID(r))
			id[14] = version
			return string(id)
		}
	}
)

// TestShapeOfIDs checks what plans say about ids that are damaged, or of another kind.
func TestShapeOfIDs(t *testing.T) {
	t.Parallel()
	const sheet = "do not save them in a spreadsheet"
	idfa, aaid, android := exports.Wanted{Type: usher.IDFA}, exports.Wanted{Type: usher.AAID}, exports.Wanted{Type: usher.AndroidID}
	list := func(parts ...[]string) string { return strings.Join(slices.Concat(parts...), "\n") + "\n" }
	csv := func(header string, ids []string) string {
		return header + "\n" + rowsFrom(0, len(ids), func(i int) string { return fmt.Sprintf("%d,%s\n", i, ids[i]) })
	}
	good, aaids := randomIDs(1, 3000, paddedID), randomIDs(2, 200, randomAAID)
	digits := func(n, width int) []string {
		return randomIDs(3, n, func(r *rand.Rand) string { return fmt.Sprintf("%0*d", width, 1+r.Uint64N(pow10(width)-1)) })
	}
	rounded := func(ids []string) []string { // as a spreadsheet that shows all digits saves them
		out := slices.Clone(ids)
		for i, id := range out {
			if !strings.ContainsAny(id, "abcdef") {
				out[i] = strings.TrimLeft(id[:15]+"0", "0")
			}
		}
		return out
	}
	dotnet := func(ids []string) []string {
		out := slices.Clone(ids)
		for i, id := range out {
			b, err := hex.DecodeString(strings.ReplaceAll(id, "-", ""))
			must(t, err)
			slices.Reverse(b[:4])
			slices.Reverse(b[4:6])
			slices.Reverse(b[6:8])
			out[i] = uuidText([16]byte(b))
		}
		return out
	}
	for _, c := range []struct {
		name    string
		data    string
		src     usher.Source
		wanted  exports.Wanted
		code    usher.WarningCode // of the warning; "": none; refused: the export is
		says    string
		hinting string
	}{
		{"android ids", list(good), usher.Source{}, android, "", "", ""},
		{"without leading zeros", list(randomIDs(1, 3000, unpaddedID)), usher.Source{}, android, "", "", ""},
		{"of both kinds", list(good, randomIDs(5, 3000, unpaddedID)), usher.Source{}, android, "", "", ""},
		{"decimal ids", csv("n,android_id", digits(100, 16)), usher.Source{}, android, "refused", "100 of 100 sampled ids of column 2 (android_id) are digits alone", sheet},
		{"telephone numbers", list(digits(100, 13)), usher.Source{}, android, "refused", "are digits alone", "source.column"},
		{"telephone numbers among ids", list(good, digits(20, 11)), usher.Source{}, android, "refused", "digits alone", "source.column"},
		{"the same number again and again", list(good, slices.Repeat([]string{"4915112345678"}, 100)), usher.Source{}, android, "", "", ""},
		{"rounded", csv("n,android_id", rounded(slices.Concat(good, digits(12, 16)))), usher.Source{}, android, "refused", "12 of 12 sampled ids of column 2 (android_id) of 16 digits end in 0", sheet},
		{"rounded, many ids", list(rounded(randomIDs(8, 60_000, paddedID))), usher.Source{}, android, "refused", "of 16 digits end in 0", sheet},
		{"one character short", list(randomIDs(1, 20, func(r *rand.Rand) string { return paddedID(r)[:15] })), usher.Source{}, android, "refused", "20 of 20 sampled ids of column 1 have 15 characters, and ids have 16", sheet},
		{"zeros lost", list(good, digits(10, 15)), usher.Source{}, android, "refused", "", sheet},
		{"exponents", csv("n,android_id", append([]string{"1.23457E+15"}, good...)), usher.Source{}, android, "spreadsheet", "1 of 3001 sampled values of column 2 (android_id) were changed by a spreadsheet", ""},
		{"errors of cells", csv("n,idfa", append([]string{"#NAME?"}, randomIDs(1, 20, randomIDFA)...)), usher.Source{}, idfa, "spreadsheet", "1 of 21", ""},
		{"a total", csv("n,android_id", good[:100]) + "Total,20\n", usher.Source{}, android, "unlikely_ids", "1 of 101", ""},
		{"countries", "DE\nFA\nBE\n", usher.Source{}, android, "unlikely_ids", "3 of 3", ""},
		{"opt-outs are never refused", list(digits(100, 16)), usher.Source{}, exports.Wanted{Type: usher.AndroidID, Removes: true}, "spreadsheet", "100 of 100 sampled ids", ""},

		{"android ids for a job of idfas", csv("n,device_id", good), usher.Source{}, idfa, "other_kind", "2998 of 3000 sampled ids of column 2 (device_id) are ANDROID_IDs (16 hex digits, without hyphens), and this job is for IDFAs: ids of Android do not belong into a segment of iOS: submit a job with profile android_id to a segment of type ANDROID_ID", ""},
		{"android ids for a job of aaids", list(good), usher.Source{}, aaid, "other_kind", "are ANDROID_IDs (16 hex digits, without hyphens), and this job is for AAIDs: set the profile to android_id", ""},
		{"idfas for a job of android ids", list(randomIDs(1, 30, randomIDFA)), usher.Source{}, android, "other_kind", "30 of 30 sampled ids of column 1 are UUIDs, as IDFAs and AAIDs are, and this job is for ANDROID_IDs: set the profile to aaid", ""},
		{"android ids and idfas", list(good, randomIDs(1, 30, randomIDFA)), usher.Source{}, idfa, "", "", ""},
		{"android ids to be taken out of idfas", list(good[:20]), usher.Source{}, exports.Wanted{Type: usher.IDFA, Removes: true}, "other_kind", "20 of 20 sampled ids", ""},
		{"idfas", list(randomIDs(1, 300, randomIDFA)), usher.Source{}, idfa, "", "", ""},
		{"version 7", csv("n,gaid", randomIDs(1, 30, randomVersion('7'))), usher.Source{}, aaid, "refused", "30 of 30 sampled ids of column 2 (gaid) are no advertising ids: they are UUIDs of version 7, and every aaid is of version 4", "source.anyVersion"},
		{"version 7, wanted", csv("n,gaid", randomIDs(1, 30, randomVersion('7'))), usher.Source{AnyVersion: true}, aaid, "", "", ""},
		{"version 7, opt-outs", csv("n,gaid", randomIDs(1, 30, randomVersion('7'))), usher.Source{}, exports.Wanted{Type: usher.AAID, Removes: true}, "version", "30 of 30", ""},
		{"version 7, digests", csv("n,gaid_md5", randomIDs(1, 30, randomBare)), usher.Source{}, exports.Wanted{Type: usher.AAID, Input: usher.InputMD5}, "", "", ""},
		{"several versions", list(randomIDs(1, 10, randomVersion('1')), randomIDs(2, 10, randomVersion('5'))), usher.Source{}, aaid, "refused", "are no UUIDs of version 4", "source.column"},
		{"another variant", list(randomIDs(1, 30, func(r *rand.Rand) string { id := []byte(randomAAID(r)); id[19] = 'c'; return string(id) })), usher.Source{}, aaid, "refused", "30 of 30", "source.anyVersion"},
		{"one of another version", list(aaids, randomIDs(1, 1, randomVersion('1'))), usher.Source{}, aaid, "", "", ""},
		{"a few of another version", list(aaids, randomIDs(1, 3, randomVersion('1'))), usher.Source{}, aaid, "version", "3 of 203 sampled ids of column 1 are UUIDs of version 1", ""},
		{"one id", list(randomIDs(1, 1, randomVersion('1'))), usher.Source{}, aaid, "version", "1 of 1", ""},
		{"the order of .NET", csv("n,gaid", dotnet(aaids)), usher.Source{}, aaid, "refused", "where .NET and SQL Server write it", "Guid.ToString()"},
		{"zero ids", list(aaids[:20], slices.Repeat([]string{"00000000-0000-0000-0000-000000000000"}, 40)), usher.Source{}, aaid, "", "", ""},
		{"ids of documentation", list(aaids[:20], slices.Repeat([]string{"38400000-8cf0-11bd-b23e-10b96e40000d"}, 40)), usher.Source{}, aaid, "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, c.data, exports.Options{})
			c.src.URL = src.URL
			plan, err := o.Plan(t.Context(), &c.src, c.wanted, 0)
			if c.code == "refused" {
				if p := permanent(t, err); p.Class != usher.SourceBroken || !strings.Contains(p.Error(), c.says) || !strings.Contains(p.Hint, c.hinting) {
					t.Errorf("%v: %s", err, p.Hint)
				}
				return
			}
			must(t, err)
			if c.code == "" && len(plan.Warnings) == 0 {
				return
			}
			if len(plan.Warnings) == 0 {
				t.Fatal("does not warn")
			}
			if w := plan.Warnings[len(plan.Warnings)-1]; w.Code != c.code || !strings.Contains(w.Description, c.says) {
				t.Errorf("warns: %+v, want %s: %s", plan.Warnings, c.code, c.says)
			}
		})
	}
}

func pow10(n int) uint64 {
	out := uint64(1)
	for range n {
		out *= 10
	}
	return out
}

// TestRandomIDsWithoutWarning plans exports of a million random ids of each profile, in the order
// that they came and sorted. None may be warned of or refused.
func TestRandomIDsWithoutWarning(t *testing.T) {
	t.Parallel()
	sizes := []int{10, 1000, 100_000}
	if !testing.Short() {
		sizes = append(sizes, 1_000_000)
	}
	for _, c := range []struct {
		name   string
		wanted usher.IDType
		id     func(*rand.Rand) string
	}{
		{"idfa", usher.IDFA, randomIDFA},
		{"aaid", usher.AAID, randomAAID},
		{"without hyphens", usher.AAID, randomBare},
		{"android_id", usher.AndroidID, paddedID},
		{"android_id without zeros", usher.AndroidID, unpaddedID},
	} {
		for _, n := range sizes {
			t.Run(fmt.Sprint(c.name, " ", n), func(t *testing.T) {
				t.Parallel()
				ids := randomIDs(uint64(n), n, c.id)
				for _, order := range []func(){
					func() {},
					func() { slices.Sort(ids) },
					func() { slices.SortStableFunc(ids, func(a, b string) int { return len(a) - len(b) }) },
				} {
					order()
					o, src := export(t, strings.Join(ids, "\n")+"\n", exports.Options{})
					plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: c.wanted}, 0)
					if err != nil || len(plan.Warnings) > 0 {
						t.Errorf("%d ids: %v, %+v", n, err, plan.Warnings)
					}
				}
			})
		}
	}
}

// TestHyphensOfPlans checks in which exports 32 digits are a digest.
func TestHyphensOfPlans(t *testing.T) {
	t.Parallel()
	const digest = "fe8b852300324dc899519c8e0cc8a82b" // an MD5 of the form of a UUID without hyphens
	few := randomIDs(1, 3, randomAAID)
	for _, c := range []struct {
		name   string
		ids    []string
		wanted exports.Wanted
		want   bool
	}{
		{"a digest among ids", append([]string{digest}, few...), exports.Wanted{Type: usher.AAID}, true},
		{"ids without hyphens", randomIDs(1, 30, randomBare), exports.Wanted{Type: usher.AAID}, false},
		{"ids without hyphens, and one with", append(randomIDs(1, 30, randomBare), few[0]), exports.Wanted{Type: usher.AAID}, false},
		{"digests, and an id", append(slices.Clone(few[:1]), md5Of(1), md5Of(2), digest), exports.Wanted{Type: usher.AAID}, true},
		{"opt-outs", append([]string{digest}, few...), exports.Wanted{Type: usher.AAID, Removes: true}, false},
	} {
		o, src := export(t, "gaid\n"+strings.Join(c.ids, "\n")+"\n", exports.Options{})
		plan, err := o.Plan(t.Context(), src, c.wanted, 0)
		if err != nil || plan.Hyphens != c.want {
			t.Errorf("%s: hyphens %v, %v", c.name, plan.Hyphens, err)
		}
	}
}

// TestVersionOfParquet checks UUIDs that are stored as 16 bytes, and as text.
func TestVersionOfParquet(t *testing.T) {
	t.Parallel()
	type row struct {
		N    int64    `parquet:"n"`
		GAID [16]byte `parquet:"gaid,uuid"`
	}
	type text struct {
		N    int64  `parquet:"n"`
		GAID string `parquet:"gaid"`
	}
	rowsOf := func(swap bool) (out []row, texts []text) {
		for i, id := range hintedIDs {
			b, err := hex.DecodeString(strings.ReplaceAll(id, "-", ""))
			must(t, err)
			if swap {
				slices.Reverse(b[:4])
				slices.Reverse(b[4:6])
				slices.Reverse(b[6:8])
			}
			out, texts = append(out, row{int64(i), [16]byte(b)}), append(texts, text{int64(i), uuidText([16]byte(b))})
		}
		return out, texts
	}
	for _, swap := range []bool{false, true} {
		bytes, texts := rowsOf(swap)
		for _, data := range []string{parquetOf(t, bytes, 15), parquetOf(t, texts, 15)} {
			o, src := export(t, data, exports.Options{})
			plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.AAID}, 0)
			if !swap && (err != nil || len(plan.Warnings) > 0) {
				t.Errorf("%v, %+v", err, plan.Warnings)
			}
			if swap && (class(err) != usher.SourceBroken || !strings.Contains(err.Error(), "where .NET and SQL Server write it")) {
				t.Errorf("bytes of .NET: %v", err)
			}
		}
	}
}
