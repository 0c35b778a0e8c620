package main

import (
	"context"
	"flag"
	"os"
	"runtime"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// asUsher is the variable that makes the test binary behave as usher, so that tests
// can run usher as a process, and kill it.
const asUsher = "USHER_TEST_AS_USHER"

// night says that make nightly runs the tests: also those that take minutes and rarely find
// something.
var night = os.Getenv("USHER_TEST_NIGHT") != ""

func TestMain(m *testing.M) {
	if os.Getenv(asUsher) != "" {
		os.Exit(execute(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	// Most tests wait for other processes, so run more of them in parallel than there
	// are cores. The flag -parallel overrides this, because flags are parsed later.
	_ = flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0)))
	testscript.Main(m, map[string]func(){
		"usher": func() { os.Exit(execute(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}
