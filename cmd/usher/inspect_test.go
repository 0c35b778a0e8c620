package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Sixteen bytes have no letters, so how usher spells them says nothing of the
// type: only the column's name may.
func TestInspectUUIDsOfBytes(t *testing.T) {
	t.Parallel()
	type plain struct {
		Device [16]byte `parquet:"device_id,uuid"`
	}
	type unsaid struct { // as Arrow and Spark write them, which do not say that it is a UUID
		Device [16]byte `parquet:"device_id"`
	}
	type named struct {
		Device [16]byte `parquet:"gaid,uuid"`
	}
	id := [16]byte{0x6D, 0x92, 0x07, 0x8A, 0x82, 0x46, 0x4B, 0xA4, 0xAE, 0x5B, 0x76, 0x10, 0x48, 0x61, 0xE7, 0xDC}
	for name, c := range map[string]struct {
		write func() (string, string)
		args  []string
		says  []string
	}{
		"nothing tells": {
			write: func() (string, string) { return inGroups(t, []plain{{id}}) },
			says: []string{
				`types +uuid of 16 bytes 100.0 % of a sample`,
				`read as +profile idfa, input raw: the export does not tell idfa from aaid, because 16 bytes have no letter case; use --profile`,
				`--segment ID --profile PROFILE .*export.parquet --wait`,
			},
		},
		"nothing tells, nor that it is a UUID": {
			write: func() (string, string) { return inGroups(t, []unsaid{{id}}) },
			says: []string{
				`types +uuid of 16 bytes 100.0 % of a sample`,
				`read as +profile idfa, input raw: the export does not tell idfa from aaid, because 16 bytes have no letter case; use --profile`,
				`--segment ID --profile PROFILE .*export.parquet --wait`,
			},
		},
		"it is an MD5": {
			write: func() (string, string) { return inGroups(t, []unsaid{{[16]byte{0xFF, 0xFF, 15: 7}}}) },
			says:  []string{`types +md5 100.0 % of a sample`, `input md5`},
		},
		"its name tells": {
			write: func() (string, string) { return inGroups(t, []named{{id}}) },
			says:  []string{`types +uuid of 16 bytes`, `read as +profile aaid, input raw\n`, `--profile aaid `},
		},
		"it was said": {
			write: func() (string, string) { return inGroups(t, []plain{{id}}) },
			args:  []string{"--profile", "idfa"},
			says:  []string{`types +uuid of 16 bytes`, `read as +profile idfa, input raw\n`, `--profile idfa `},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, data := c.write()
			file = filepath.Join(t.TempDir(), file)
			if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
			out, code := (&plant{t: t, env: []string{asUsher + "=1"}}).usher(append([]string{"inspect", file}, c.args...)...)
			for _, want := range c.says {
				if code != 0 || !regexp.MustCompile(want).MatchString(out) {
					t.Errorf("exit code %d, it does not say %q:\n%s", code, want, out)
				}
			}
		})
	}
}
