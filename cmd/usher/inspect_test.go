package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Binary UUIDs have no letter case, by which an IDFA differs from an AAID. Only the name of
// the column can distinguish them.
func TestInspectBinaryUUIDs(t *testing.T) {
	t.Parallel()
	type plain struct {
		Device [16]byte `parquet:"device_id,uuid"`
	}
	type untyped struct { // Arrow and Spark write no logical type
		Device [16]byte `parquet:"device_id"`
	}
	type named struct {
		Device [16]byte `parquet:"gaid,uuid"`
	}
	id := [16]byte{0x6D, 0x92, 0x07, 0x8A, 0x82, 0x46, 0x4B, 0xA4, 0xAE, 0x5B, 0x76, 0x10, 0x48, 0x61, 0xE7, 0xDC}
	for name, c := range map[string]struct {
		write func() (string, string)
		args  []string
		want  []string
	}{
		"ambiguous UUID": {
			write: func() (string, string) { return writeRowGroups(t, []plain{{id}}) },
			want: []string{
				`types +uuid of 16 bytes 100.0 % of a sample`,
				`read as +profile idfa, input raw: the export does not show whether its ids are idfa or aaid, because 16 bytes have no letter case; use --profile`,
				`--segment ID --profile PROFILE .*export.parquet --wait`,
			},
		},
		"ambiguous bytes without a logical type": {
			write: func() (string, string) { return writeRowGroups(t, []untyped{{id}}) },
			want: []string{
				`types +uuid of 16 bytes 100.0 % of a sample`,
				`read as +profile idfa, input raw: the export does not show whether its ids are idfa or aaid, because 16 bytes have no letter case; use --profile`,
				`--segment ID --profile PROFILE .*export.parquet --wait`,
			},
		},
		"MD5": {
			write: func() (string, string) { return writeRowGroups(t, []untyped{{[16]byte{0xFF, 0xFF, 15: 7}}}) },
			want:  []string{`types +md5 100.0 % of a sample`, `input md5`},
		},
		"column name shows the profile": {
			write: func() (string, string) { return writeRowGroups(t, []named{{id}}) },
			want:  []string{`types +uuid of 16 bytes`, `read as +profile aaid, input raw\n`, `--profile aaid `},
		},
		"profile flag": {
			write: func() (string, string) { return writeRowGroups(t, []plain{{id}}) },
			args:  []string{"--profile", "idfa"},
			want:  []string{`types +uuid of 16 bytes`, `read as +profile idfa, input raw\n`, `--profile idfa `},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, data := c.write()
			file = filepath.Join(t.TempDir(), file)
			if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
			out, code := (&deployment{t: t, env: []string{asUsher + "=1"}}).usher(append([]string{"inspect", file}, c.args...)...)
			for _, want := range c.want {
				if code != 0 || !regexp.MustCompile(want).MatchString(out) {
					t.Errorf("exit code %d, the output does not match %q:\n%s", code, want, out)
				}
			}
		})
	}
}
