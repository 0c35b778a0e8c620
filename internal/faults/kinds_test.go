package faults_test

import (
	"math/rand/v2"
	"time"
)

// kind is a kind of fault.
type kind struct {
	name string
	// inject makes the fault in a cycle and returns how it is healed, and whether it hit.
	inject func(c *cycle) (fault, error)
	// alone says that the fault does not combine with others.
	alone bool
	// volumes says that the fault needs file systems of its own.
	volumes bool
}

// fault is a fault that was made.
type fault struct {
	kind string
	// missed returns why the fault did not hit, or "". It is called before heal.
	missed func() string
	heal   func() error
	// hold is how long the fault lasts; zero: as long as the cycle chooses.
	hold time.Duration
}

// hit is the evidence of a fault that is certain to have hit, such as the death of a
// process.
func hit() string { return "" }

// kinds returns all kinds of faults.
func kinds() []kind {
	var all []kind
	all = append(all, killing()...)
	all = append(all, network()...)
	all = append(all, answers()...)
	return append(all, storage()...)
}

// oneOf returns a random element.
func oneOf[T any](random *rand.Rand, all ...T) T { return all[random.IntN(len(all))] }
