//go:build !purego

package csv

import "golang.org/x/sys/cpu"

//go:generate go -C asm run . -out ../mask_amd64.s -pkg csv

// useAVX2 and useVBMI2 report whether this CPU runs the kernels.
func useAVX2() bool  { return cpu.X86.HasAVX2 }
func useVBMI2() bool { return cpu.X86.HasAVX512VBMI2 && cpu.X86.HasAVX512BW && cpu.X86.HasPOPCNT }

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

// listMarks is list, by vectors if the CPU has them.
func listMarks(out []uint16, mask []uint64) int {
	if !useVBMI2() {
		return list(out, mask)
	}
	_ = out[:len(mask)*maskBytes+listRoom]
	return listVBMI2(out, mask)
}

// maskAVX2 is mask. It reads the number of words from ends alone.
//
//go:noescape
func maskAVX2(separators, ends, quotes []uint64, text []byte, delimiter byte)

// listVBMI2 is list. It does not check the length of out, and writes up to listRoom
// elements more than it counts.
//
//go:noescape
func listVBMI2(out []uint16, mask []uint64) int
