//go:build !purego

package csv

import "golang.org/x/sys/cpu"

//go:generate go -C asm run . -out ../mask_amd64.s -pkg csv

// useAVX2 reports whether this CPU runs the kernel.
func useAVX2() bool { return cpu.X86.HasAVX2 }

// findMasks is mask, by vectors if the CPU has them.
func findMasks(m masks, text []byte, delimiter byte) {
	if !useAVX2() {
		mask(m, text, delimiter)
		return
	}
	n := len(m.ends)
	_ = text[:n*maskBytes]
	maskAVX2(m.separators[:n], m.ends, m.quotes[:n], text, delimiter)
}

// maskAVX2 is mask. It reads the number of words from ends alone.
//
//go:noescape
func maskAVX2(separators, ends, quotes []uint64, text []byte, delimiter byte)
