//go:build amd64 && !purego

package hashing_test

import (
	"os"
	"strings"
	"testing"

	"usher"
	"usher/hashing"
)

// TestKernelChosen checks that the fastest kernel is in use. It takes the features of the
// processor from the system, not from the library that the choice uses.
func TestKernelChosen(t *testing.T) {
	t.Parallel()
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Skip("no /proc/cpuinfo:", err)
	}
	_, line, _ := strings.Cut(string(info), "\nflags")
	line, _, _ = strings.Cut(line, "\n")
	flags := strings.Fields(line)
	has := func(names ...string) bool {
		for _, name := range names {
			found := false
			for _, flag := range flags {
				found = found || flag == name
			}
			if !found {
				return false
			}
		}
		return true
	}
	var want []string
	if has("bmi1", "avx512f", "avx512bw", "avx512vl", "avx512vbmi", "avx512_vbmi2") {
		want = append(want, "avx512")
	}
	if has("bmi1", "avx2") {
		want = append(want, "avx2")
	}
	want = append(want, "go")
	var got []string
	for _, k := range hashing.Kernels() {
		got = append(got, k.String())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") || hashing.Chosen(newHasher(t, idfa, usher.InputRaw)) != want[0] {
		t.Errorf("kernels %v with %s in use, want %v", got, hashing.Chosen(newHasher(t, idfa, usher.InputRaw)), want)
	}
}
