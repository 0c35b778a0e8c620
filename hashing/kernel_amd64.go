//go:build amd64 && !purego

package hashing

import "golang.org/x/sys/cpu"

// fastest is the kernel in use. It is chosen once, when the program starts.
var fastest = kernels()[0]

// kernels returns the kernels that this processor can run, the fastest first.
func kernels() []kernel {
	var list []kernel
	x := &cpu.X86
	if x.HasBMI1 && x.HasPOPCNT && x.HasAVX512F && x.HasAVX512BW && x.HasAVX512VL && x.HasAVX512VBMI && x.HasAVX512VBMI2 {
		list = append(list, avx512)
	}
	if x.HasBMI1 && x.HasPOPCNT && x.HasAVX2 {
		list = append(list, avx2)
	}
	return append(list, portable)
}
