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

// asUsher makes the test binary the command itself, so that tests can run it
// as a process of its own, kill it, and have the race detector in it.
const asUsher = "USHER_TEST_AS_USHER"

func TestMain(m *testing.M) {
	if os.Getenv(asUsher) != "" {
		os.Exit(execute(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	// Most tests wait for processes of their own, so more of them run at once than
	// there are cores, unless -parallel says otherwise.
	_ = flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))) // before the command line is read
	// In scripts, "usher" is the command.
	testscript.Main(m, map[string]func(){
		"usher": func() { os.Exit(execute(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}
