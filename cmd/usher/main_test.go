package main

import (
	"bufio"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
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
	if os.Getenv(asNaive) != "" {
		if err := naiveHash(os.Stdin, os.Stdout); err != nil {
			panic(err)
		}
		os.Exit(0)
	}
	// In scripts, "usher" is the command.
	testscript.Main(m, map[string]func(){
		"usher": func() { os.Exit(execute(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// asNaive makes the test binary the usher hash that one would write first.
const asNaive = "USHER_TEST_AS_NAIVE_HASH"

func naiveHash(in io.Reader, out io.Writer) error {
	lines, w := bufio.NewScanner(in), bufio.NewWriter(out)
	for lines.Scan() {
		sum := md5.Sum([]byte(strings.ToUpper(strings.TrimSpace(lines.Text()))))
		fmt.Fprintln(w, hex.EncodeToString(sum[:]))
	}
	return errors.Join(lines.Err(), w.Flush())
}
