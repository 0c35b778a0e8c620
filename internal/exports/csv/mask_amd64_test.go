//go:build !purego

package csv

import (
	"os"
	"strings"
	"testing"
)

// TestMaskKernel fails if the CPU has the vector instructions and they are not used.
func TestMaskKernel(t *testing.T) {
	t.Parallel()
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Skip("/proc/cpuinfo cannot be read")
	}
	flags := " " + string(info) + " "
	if has := strings.Contains(flags, " avx2 "); has != useAVX2() {
		t.Errorf("the CPU has AVX2: %t, it is used: %t", has, useAVX2())
	}
}
