package faults_test

import (
	"math/rand/v2"
	"time"
)

// kind is a kind of fault.
type kind struct {
	name string
	// inject injects the fault in a cycle and returns how to end it and whether it hit.
	inject func(c *cycle) (fault, error)
	// alone is set if the fault must not be combined with others.
	alone bool
	// volumes is set if the fault needs separate file systems.
	volumes bool
}

// fault is an injected fault.
type fault struct {
	kind string
	// missed returns why the fault did not hit, or "". It is called before heal.
	missed func() string
	heal   func() error
	// hold is how long the fault lasts at least; zero: as long as the cycle chooses.
	hold time.Duration
	// during returns what usher fails to do while the fault lasts, or nil: tell people of it, or carry
	// out pauses in spite of it. It is called if there is no other fault.
	during func() error
}

// hit is the missed function of a fault that is certain to have hit, such as the end of a
// process.
func hit() string { return "" }

// kinds returns all kinds of faults.
func kinds() []kind {
	var all []kind
	all = append(all, killing()...)
	all = append(all, network()...)
	all = append(all, answers()...)
	all = append(all, sources()...)
	all = append(all, limits()...)
	return append(all, storage()...)
}

// oneOf returns a random element.
func oneOf[T any](random *rand.Rand, all ...T) T { return all[random.IntN(len(all))] }
