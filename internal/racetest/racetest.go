// Package racetest leaves long tests out of runs with the race detector.
package racetest

import "testing"

// Skip skips a long test of code that runs in one goroutine: the race detector makes it ten
// times slower and finds nothing there. make test runs the packages of such tests again
// without the detector. With -short they are left out, too.
func Skip(t testing.TB) {
	t.Helper()
	if enabled || testing.Short() {
		t.Skip("long, and in one goroutine: make test runs it without -race")
	}
}
