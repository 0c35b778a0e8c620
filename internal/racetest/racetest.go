// Package racetest leaves long tests out of runs with the race detector.
package racetest

import "testing"

// Skip skips a long test that the race detector makes ten times slower and finds nothing in:
// its code runs in one goroutine, or shorter tests of the package run it under the detector.
// make test runs the packages of such tests again without the detector. With -short they are
// left out, too.
func Skip(t testing.TB) {
	t.Helper()
	if enabled || testing.Short() {
		t.Skip("long: make test runs it without -race")
	}
}
