package main

import (
	"context"
	"os"
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
	// In scripts, "usher" is the command.
	testscript.Main(m, map[string]func(){
		"usher": func() { os.Exit(execute(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}
