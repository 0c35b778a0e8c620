package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/demo"
)

// demoFolder matches the path of the demo's folder in its output.
var demoFolder = regexp.MustCompile(`file://(/\S*usher-demo-\d+)/`)

// findFolder returns the demo's folder, which its output names, and removes it
// after the test.
func findFolder(t *testing.T, out, errs fmt.Stringer) string {
	t.Helper()
	found := demoFolder.FindStringSubmatch(out.String())
	if found == nil {
		t.Fatalf("the output names no folder:\n%s\n%s", out, errs)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(found[1]); err != nil {
			t.Error(err)
		}
	})
	return found[1]
}

func TestDemo(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	code := execute(t.Context(), []string{"demo", "--ids", "20000", "--keep"}, strings.NewReader(""), &out, &errs)
	folder := findFolder(t, &out, &errs)
	if code != command.OK {
		t.Fatalf("exit %d\n%s\n%s", code, &out, &errs)
	}
	for _, want := range []string{"= read", "20,000  100.0 %", "→  true", "→  false", "summer-3  ACTIVE  INACTIVE", "source_missing", "demo-newsletter is done: run 2"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q", want)
		}
	}
	if !strings.Contains(errs.String(), "demo-customers done") {
		t.Errorf("no progress was shown:\n%s", &errs)
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Error("the output has colours although it is not a terminal")
	}
	shown := out.String() + errs.String() + readText(t, filepath.Join(folder, "usher.log"))
	for _, file := range []string{demo.CustomersFile, demo.LateFile} {
		searchForIDs(t, shown, filepath.Join(folder, "exports", file))
	}
	if t.Failed() {
		t.Log(out.String())
	}
}

func readText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// normalizeID removes hyphens, braces, quotes and spaces.
func normalizeID(cell string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "{", "", "}", "", `"`, "", " ", "").Replace(cell))
}

// searchForIDs fails the test if text contains an id of the export in any form.
func searchForIDs(t *testing.T, text, export string) {
	t.Helper()
	raw := map[string]bool{}
	for line := range strings.Lines(readText(t, export)) {
		line = strings.ReplaceAll(line, `"Berlin; Mitte"`, "Berlin")
		if id := normalizeID(strings.Split(line, ";")[2]); len(id) >= 15 {
			raw[id] = true
		}
	}
	if len(raw) < 100 {
		t.Fatalf("%s has only %d ids, which is too few for the search", filepath.Base(export), len(raw))
	}
	for _, word := range regexp.MustCompile(`[0-9a-fA-F-]{15,}`).FindAllString(text, -1) {
		if raw[normalizeID(word)] {
			t.Errorf("the output contains an id of %s", filepath.Base(export))
		}
	}
}

// cancelWriter cancels a context when word is written to it.
type cancelWriter struct {
	text   bytes.Buffer
	word   string
	cancel context.CancelFunc
}

func (c *cancelWriter) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(c.word)) {
		c.cancel()
	}
	return c.text.Write(p)
}

func TestDemoInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, errs := cancelWriter{word: `< {"id":"demo-customers"}`, cancel: cancel}, bytes.Buffer{}
	code := execute(ctx, []string{"demo", "--ids", "20000"}, strings.NewReader(""), &out, &errs)
	folder := findFolder(t, &out.text, &errs)
	if code != command.Failed || !strings.Contains(errs.String(), "the demo was interrupted") {
		t.Errorf("exit %d\n%s", code, &errs)
	}
	if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the demo's folder still exists: %v", err)
	}
	if strings.Contains(out.text.String(), "= read") {
		t.Error("the demo continued after the interrupt")
	}
}

// startDemo starts the demo in another process, and returns the process and its output.
func startDemo(t *testing.T, args ...string) (*exec.Cmd, *os.File) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts processes: run without -short")
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = read.Close() })
	program := cmp.Or(os.Getenv("USHER_TEST_RACED_PROGRAM"), os.Getenv("USHER_TEST_PROGRAM"))
	if program == "" {
		if program, err = os.Executable(); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(program, append([]string{"demo", "--ids", "20000"}, args...)...)
	cmd.Env = append(os.Environ(), asUsher+"=1", "TMPDIR="+t.TempDir())
	cmd.Stdout = write
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	_ = write.Close()
	return cmd, read
}

// TestDemoBrokenConnection checks that the demo does not end if a client closes a
// connection, for which a server of the demo gets SIGPIPE.
func TestDemoBrokenConnection(t *testing.T) {
	t.Parallel()
	cmd, out := startDemo(t)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.Contains(lines.Text(), `"demo-customers"`) {
			_ = cmd.Process.Signal(syscall.SIGPIPE)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the demo ended with %v", err)
	}
}

// TestDemoClosedPipe checks that the demo ends and removes its folder if the reader of its
// output closes the pipe.
func TestDemoClosedPipe(t *testing.T) {
	t.Parallel()
	cmd, out := startDemo(t)
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "2. ") {
	}
	_ = out.Close()
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != command.Failed {
		t.Errorf("the demo ended with %v", err)
	}
	for _, variable := range cmd.Env {
		if temporary, ok := strings.CutPrefix(variable, "TMPDIR="); ok {
			if left, err := filepath.Glob(filepath.Join(temporary, "usher-demo-*")); err != nil || len(left) > 0 {
				t.Errorf("the demo left %q, %v", left, err)
			}
		}
	}
}

// A demo that fails exits with code 1, names the cause and keeps its folder.
func TestDemoFailure(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	var out, errs bytes.Buffer
	code := execute(ctx, []string{"demo", "--ids", "1000"}, strings.NewReader(""), &out, &errs)
	found := regexp.MustCompile(`kept in (\S*usher-demo-\d+); its log is (\S+)`).FindStringSubmatch(errs.String())
	if code != command.Failed || found == nil || !strings.Contains(errs.String(), "did not finish within") {
		t.Fatalf("exit %d\n%s", code, &errs)
	}
	if _, err := os.Stat(found[2]); err != nil {
		t.Error(err)
	}
	if err := os.RemoveAll(found[1]); err != nil {
		t.Error(err)
	}
}
