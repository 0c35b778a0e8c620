//go:build !purego

package exports

import "golang.org/x/sys/cpu"

//go:generate go -C asm run . -out ../mask_avx2_amd64.s -pkg exports

// findMasks is mask, by vectors where the CPU has them.
func findMasks(out []masks, text []byte, delimiter byte) {
	if cpu.X86.HasAVX2 {
		_ = text[:len(out)*maskBytes]
		maskAVX2(out, text, delimiter)
		return
	}
	mask(out, text, delimiter)
}

// maskAVX2 is mask for a CPU with AVX2. It does not look at text's length.
//
//go:noescape
func maskAVX2(out []masks, text []byte, delimiter byte)
