//go:build !amd64 || purego

package hashing

// fastest is the kernel that is used.
var fastest = kernels()[0]

// kernels are those that this processor can run, the fastest first.
func kernels() []kernel { return []kernel{portable} }
