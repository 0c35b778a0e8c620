// Package racetest skips long tests in runs with the race detector.
package racetest

import "testing"

// Skip skips the test if the race detector is on, or with -short. It is for long tests in
// which the detector cannot find anything, because their code runs in one goroutine or
// because shorter tests run the same code. The detector would make them ten times slower.
// make test runs their packages a second time without the detector.
func Skip(t testing.TB) {
	t.Helper()
	if enabled || testing.Short() {
		t.Skip("long: make test runs it without -race")
	}
}

// SkipSequential skips the test if the race detector is on. It is for tests that take a second
// or more with the detector and do one thing after the other; shorter tests of their packages
// let goroutines compete.
func SkipSequential(t testing.TB) {
	t.Helper()
	if enabled {
		t.Skip("sequential: make test runs it without -race")
	}
}
