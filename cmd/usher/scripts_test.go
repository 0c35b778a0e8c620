package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/rogpeppe/go-internal/testscript"

	"usher/cmd/usher/internal/dev"
	"usher/cmd/usher/internal/embedded"
	"usher/internal/sandbox"
)

// TestScripts runs the scripts in testdata/script, which use usher as a user does.
// In addition to testscript's own commands, scripts can use:
//
//	exits CODE COMMAND …   runs COMMAND and checks its exit code
//	nats                   starts NATS and configures usher to use it
//	sandbox                starts a sandbox and configures usher to use it
//	ready FILE             waits for the ready file of usher dev and configures usher to use it
//	until TEXT COMMAND …   repeats COMMAND until its stdout contains TEXT
//	metric REGEXP …        waits until /metrics has a line for each REGEXP; requires ready
//	utf16 FILE             converts a text file to UTF-16LE with a BOM
//	event ID CAMPAIGN N    evaluates rules budgets with N spent of 100, and waits
//	repeat FILE N TEXT     writes N lines of TEXT; @@ is replaced by the line number
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": scriptExits, "nats": scriptNATS, "sandbox": scriptSandbox, "ready": scriptReady,
			"until": scriptUntil, "metric": scriptMetric, "utf16": scriptUTF16, "repeat": scriptRepeat, "event": scriptEvent,
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("TZ", "UTC")
			root, err := filepath.Abs(atRoot("."))
			if err != nil {
				return err
			}
			env.Setenv("ROOT", root)
			return useProgram(env)
		},
	})
}

// useProgram makes a script run the program that make test has built, if there is one. It is
// what users run, and starts faster than the test binary.
func useProgram(env *testscript.Env) error {
	program := os.Getenv("USHER_TEST_PROGRAM")
	if program == "" {
		return nil
	}
	bin := filepath.Join(env.WorkDir, ".bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		return err
	}
	env.Setenv("PATH", bin+string(filepath.ListSeparator)+env.Getenv("PATH"))
	return os.Symlink(program, filepath.Join(bin, "usher"))
}

// requireArgs fails the script if a command is negated or has fewer than minimum
// arguments.
func requireArgs(ts *testscript.TestScript, neg bool, args []string, minimum int, use string) {
	if neg || len(args) < minimum {
		ts.Fatalf("usage: %s", use)
	}
}

func scriptExits(ts *testscript.TestScript, neg bool, args []string) {
	requireArgs(ts, neg, args, 2, "exits CODE COMMAND …")
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("run %s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func scriptNATS(ts *testscript.TestScript, neg bool, args []string) {
	requireArgs(ts, neg, args, 0, "nats")
	server, err := embedded.StartNATS(context.Background(), "127.0.0.1:0", ts.MkAbs("nats-data"))
	ts.Check(err)
	ts.Defer(server.Stop)
	ts.Setenv("USHER_NATS_URL", server.URL())
}

func scriptSandbox(ts *testscript.TestScript, neg bool, args []string) {
	requireArgs(ts, neg, args, 0, "sandbox")
	box, err := sandbox.Open(sandbox.Options{})
	ts.Check(err)
	server := httptest.NewServer(box)
	ts.Defer(func() {
		ts.Check(box.Close()) // first, because it ends hanging requests
		server.Close()
	})
	ts.Setenv("USHER_PLATFORM_URL", server.URL)
}

func scriptReady(ts *testscript.TestScript, neg bool, args []string) {
	requireArgs(ts, neg, args, 1, "ready FILE")
	var addresses dev.Addresses
	poll(ts, "the ready file "+args[0], func() bool {
		data, err := os.ReadFile(ts.MkAbs(args[0]))
		return err == nil && json.Unmarshal(data, &addresses) == nil
	})
	ts.Setenv("USHER_NATS_URL", addresses.NATS)
	ts.Setenv("USHER_REDIS_URL", addresses.Redis)
	ts.Setenv("USHER_PLATFORM_URL", addresses.Platform)
	ts.Setenv("CONSOLE", addresses.Console)
}

func scriptMetric(ts *testscript.TestScript, neg bool, args []string) {
	requireArgs(ts, neg, args, 1, "metric REGEXP …")
	for _, line := range args {
		want := regexp.MustCompile("(?m)" + line)
		poll(ts, "metric "+line, func() bool {
			response, err := http.Get(ts.Getenv("CONSOLE") + "/metrics")
			ts.Check(err)
			defer response.Body.Close()
			text, err := io.ReadAll(response.Body)
			ts.Check(err)
			return response.StatusCode == http.StatusOK && want.Match(text)
		})
	}
}

func scriptUntil(ts *testscript.TestScript, neg bool, args []string) {
	requireArgs(ts, false, args, 2, "[!] until TEXT COMMAND …")
	poll(ts, fmt.Sprintf("%q from %s: %t", args[0], strings.Join(args[1:], " "), !neg), func() bool {
		return ts.Exec(args[1], args[2:]...) == nil && strings.Contains(ts.ReadFile("stdout"), args[0]) != neg
	})
}

// scriptPatience is how long a script waits for a condition. It is much longer than
// necessary, so that tests do not fail on a slow machine.
const scriptPatience = 5 * time.Minute

// poll waits until check returns true.
func poll(ts *testscript.TestScript, what string, check func() bool) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	timeout := time.After(scriptPatience)
	for !check() {
		select {
		case <-tick.C:
		case <-timeout:
			ts.Fatalf("waited %s for %s", scriptPatience, what)
		}
	}
}

func scriptUTF16(ts *testscript.TestScript, neg bool, args []string) {
	requireArgs(ts, neg, args, 1, "utf16 FILE")
	data := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(ts.ReadFile(args[0]))) {
		data = binary.LittleEndian.AppendUint16(data, unit)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o644))
}

func scriptRepeat(ts *testscript.TestScript, neg bool, args []string) {
	requireArgs(ts, neg, args, 3, "repeat FILE N TEXT")
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	var text strings.Builder
	for i := range n {
		// The number has as many digits as TEXT has @.
		mark := strings.Count(args[2], "@")
		text.WriteString(strings.Replace(args[2], strings.Repeat("@", mark), fmt.Sprintf("%0*X", mark, i), 1) + "\n")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text.String()), 0o644))
}

func scriptEvent(ts *testscript.TestScript, neg bool, args []string) {
	requireArgs(ts, neg, args, 4, "event RULES ID CAMPAIGN SPENT")
	metrics := fmt.Sprintf(`{"campaign":%q,"at":%q,"values":{"grossMediaSpend":%s,"budget":100}}`, args[2], time.Now().UTC().Format(time.RFC3339Nano), args[3])
	ts.Check(ts.Exec("usher", "submit", "rules.evaluate", "--rules", args[0], "--id", args[1], "--metrics", metrics, "--wait"))
}
