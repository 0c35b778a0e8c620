//go:build !amd64 || purego

package hashing

// fastest is the kernel in use.
var fastest = kernels()[0]

// kernels returns the kernels that this processor can run.
func kernels() []kernel { return []kernel{portable} }
