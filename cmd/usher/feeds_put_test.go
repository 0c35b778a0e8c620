package main_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// putFeeds are a feed of files in a folder, one of a single file, one of a mirror, one of a folder with a
// done marker, and one of a bucket.
const putFeeds = `feeds:
  - {name: files, watch: DIR/in/crm-*.csv, every: 1s, settle: 1s, job: {kind: segment.add, segment: "1", profile: idfa}}
  - {name: one, watch: DIR/one.csv, every: 1s, settle: 1s, job: {kind: segment.add, segment: "2", profile: aaid}}
  - {name: newest, watch: DIR/newest/*.csv, every: 1s, settle: 1s, job: {kind: segment.mirror, segment: "4", profile: idfa}}
  - {name: whole, watch: DIR/whole/, every: 1s, done_marker: _SUCCESS, job: {kind: target.add, campaign: SANDBOX1-spring, profile: idfa}}
  - {name: web, watch: "https://127.0.0.1:9/crm.csv", every: 1h, job: {kind: segment.add, segment: "5", profile: idfa}}
  - {name: bucket, watch: s3://exports/in/*.csv, every: 1h, job: {kind: segment.remove, segment: "1", profile: idfa}}
`

// startPutFeeds starts a worker with putFeeds.
func startPutFeeds(t *testing.T) *feedPlaces {
	t.Helper()
	x := newFeedPlaces(t)
	for _, dir := range []string{"newest", "whole"} {
		if err := os.Mkdir(filepath.Join(x.folder, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "put.yaml")
	writeFile(t, file, strings.ReplaceAll(putFeeds, "DIR", x.folder))
	x.env = append(x.env, "USHER_FEEDS_FILES="+file)
	x.start("worker")
	eventually(t, "the worker has the feeds", func() bool {
		out, _ := x.usher("feeds", "ls")
		return strings.Contains(out, "whole") && strings.Contains(out, "bucket")
	})
	return x
}

// all returns the names of all files in a folder, hidden ones, too.
func (x *feedPlaces) all(dir string) (names []string) {
	x.t.Helper()
	entries, err := os.ReadDir(filepath.Join(x.folder, dir))
	if err != nil {
		x.t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestPut puts exports into the places of feeds with commands, good and bad ones.
func TestPut(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts servers")
	}
	x := startPutFeeds(t)
	refused := func(want string, args ...string) {
		t.Helper()
		out, code := x.usher(append([]string{"feeds", "put"}, args...)...)
		if code != 1 || !strings.Contains(out, want) {
			t.Errorf("usher feeds put %s exited with %d, want 1 and %q: %s", strings.Join(args, " "), code, want, out)
		}
	}
	refused("sh ended with exit code 3, so its output is not put there", "files", "--", "sh", "-c", "echo half; exit 3")
	refused("signal: killed", "files", "--", "sh", "-c", "echo half; kill -9 $$")
	refused("sh has written nothing", "files", "--", "sh", "-c", "exit 0")
	refused("no-such-program is not installed", "files", "--", "no-such-program")
	refused("is not a name that the feed takes", "files", "--file", "other.csv", "--", "echo", rawID)
	refused("is not a name that the feed takes", "files", "--file", "../crm-1.csv", "--", "echo", rawID)
	refused("it watches one file, one.csv", "one", "--file", "two.csv", "--", "echo", rawID)
	refused("name the file with --file", "whole", "--", "echo", rawID)
	refused("it watches an https server", "web", "--", "echo", rawID)
	refused("no worker has such a feed", "nobody", "--", "echo", rawID)
	if names := x.all("in"); len(names) > 0 {
		t.Fatal("commands that failed left ", names)
	}

	// A shell that was killed, whose child goes on, and a full disk.
	disk := exec.Command("sh", "-c", `ulimit -f 4; exec "$0" feeds put one -- yes `+rawID, commandProgram(t))
	disk.Env = append(os.Environ(), x.env...)
	if out, err := disk.CombinedOutput(); err == nil || !strings.Contains(string(out), "write one.csv: file too large; the place is as it was") {
		t.Errorf("a full disk: %v: %s", err, out)
	}
	if _, err := os.Stat(filepath.Join(x.folder, "one.csv")); err == nil || slices.ContainsFunc(x.all("."), func(name string) bool { return strings.HasPrefix(name, ".") }) {
		t.Error("a full disk left a file: ", x.all("."))
	}

	var put struct {
		Feed  string `json:"feed"`
		File  string `json:"file"`
		Place string `json:"place"`
		Bytes int64  `json:"bytes"`
	}
	var stdout, stderr strings.Builder
	code := x.run(&stdout, &stderr, "feeds", "put", "files", "--json", "--", "sh", "-c", `printf 'idfa\n%s\n' "$0"`, rawID)
	if err := json.Unmarshal([]byte(stdout.String()), &put); err != nil || code != 0 {
		t.Fatalf("exit %d, %v: %s%s", code, err, stdout.String(), stderr.String())
	}
	if put.Feed != "files" || !strings.HasPrefix(put.File, "crm-2") || !strings.HasSuffix(put.File, "Z.csv") || put.Place != filepath.Join(x.folder, "in") || put.Bytes != 42 {
		t.Errorf("put %+v", put)
	}
	if got, err := os.ReadFile(filepath.Join(put.Place, put.File)); err != nil || string(got) != "idfa\n"+rawID+"\n" {
		t.Errorf("the file has %q, %v", got, err)
	}
	done := func(feed string) {
		t.Helper()
		eventually(t, "the job of the feed is done", func() bool {
			out, _ := x.usher("feeds", "show", feed)
			return strings.Contains(out, ", done, ")
		})
	}
	done("files")

	// A database, and the only file of a feed, which is replaced.
	if sqlite, err := exec.LookPath("sqlite3"); err == nil {
		for n := range 2 {
			script := fmt.Sprintf(`create table c (gaid text); insert into c values ('0b5d7b31-2f60-4c1b-9a54-0e1c2d3f4a5%d'); select gaid from c`, n)
			if out, code := x.usher("feeds", "put", "one", "--", sqlite, "-csv", "-header", ":memory:", script); code != 0 || !strings.Contains(out, "feed one: one.csv has 42 bytes") {
				t.Errorf("exit %d: %s", code, out)
			}
		}
		refused("sqlite3 ended with exit code 1", "one", "--", sqlite, ":memory:", "select x from nowhere")
		done("one")
	}

	// A mirror takes only the newest file by name.
	writeFile(t, filepath.Join(x.folder, "newest", "week1.csv"), "idfa\n"+rawID+"\n")
	refused("takes only the newest file by name, and that is week1.csv", "newest", "--", "echo", rawID)
	if out, code := x.usher("feeds", "put", "newest", "--file", "week2.csv", "--", "echo", rawID); code != 0 {
		t.Error(out)
	}

	// A folder is whole when its marker is there.
	for _, put := range []struct{ file, program, remark string }{
		{"a.csv", "env", "takes its export when _SUCCESS is there"},
		{"_SUCCESS", "true", "takes its export when it looks next"},
	} {
		if out, code := x.usher("feeds", "put", "whole", "--file", put.file, "--", put.program); code != 0 || !strings.Contains(out, put.remark) {
			t.Errorf("exit %d: %s", code, out)
		}
	}

	// An object in a bucket is there as a whole, or not at all.
	refused("ended with exit code 4", "bucket", "--file", "b.csv", "--", "sh", "-c", "echo half; exit 4")
	if keys := x.keys("in/"); len(keys) > 0 {
		t.Fatal("a command that failed left ", keys)
	}
	if out, code := x.usher("feeds", "put", "bucket", "--file", "b.csv", "--", "echo", rawID); code != 0 || !slices.Equal(x.keys("in/"), []string{"b.csv"}) {
		t.Errorf("exit %d, keys %v: %s", code, x.keys("in/"), out)
	}
}

// TestKilledPut kills usher feeds put and its command while it writes. The place has no file of it, the
// next put removes what was left, and one that still runs keeps what it writes.
func TestKilledPut(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts servers")
	}
	x := startPutFeeds(t)
	rounds := 20
	if night {
		rounds = 1000
	}
	for n := range rounds {
		signal, whole := syscall.SIGKILL, n%2 == 0
		if n%5 == 4 {
			signal = syscall.SIGTERM
		}
		// Its stdout is a pipe of the test's, so the command says when it writes, and who it is.
		said, say, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		put := exec.Command(commandProgram(t), "feeds", "put", "files", "--", "sh", "-c", `echo $$ >&3; while :; do echo `+rawID+`; done`)
		put.Env, put.ExtraFiles = append(os.Environ(), x.env...), []*os.File{say}
		var errs strings.Builder
		put.Stderr = &errs
		if err := put.Start(); err != nil {
			t.Fatal(err)
		}
		_ = say.Close()
		var command int
		if _, err := fmt.Fscan(said, &command); err != nil {
			t.Fatalf("round %d: %v: %s", n, err, errs.String())
		}
		eventually(t, "a part of the export is written", func() bool {
			for _, name := range x.all("in") {
				if info, err := os.Stat(filepath.Join(x.folder, "in", name)); err == nil && info.Size() > 0 {
					return true
				}
			}
			return false
		})
		victim := put.Process.Pid
		if !whole {
			victim = command
		}
		if err := syscall.Kill(victim, signal); err != nil {
			t.Fatal(err)
		}
		if err := put.Wait(); err == nil {
			t.Fatalf("round %d: a put that was killed ended well: %s", n, errs.String())
		}
		_ = said.Close()
		for _, name := range x.all("in") {
			if !strings.HasPrefix(name, ".usher-put-") || !whole || signal != syscall.SIGKILL {
				t.Fatalf("round %d, signal %s: %s is left", n, signal, name)
			}
		}
	}
	running := exec.Command(commandProgram(t), "feeds", "put", "files", "--file", "crm-1.csv", "--", "sh", "-c", "echo idfa; exec cat")
	running.Env = append(os.Environ(), x.env...)
	rest, err := running.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := running.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the put that runs has removed what was left, and writes", func() bool {
		names := x.all("in")
		if len(names) != 1 {
			return false
		}
		info, err := os.Stat(filepath.Join(x.folder, "in", names[0]))
		return err == nil && info.Size() == int64(len("idfa\n"))
	})
	if out, code := x.usher("feeds", "put", "files", "--file", "crm-2.csv", "--", "true"); code != 1 || len(x.all("in")) != 1 {
		t.Errorf("the put after those that were killed: exit %d, files %v: %s", code, x.all("in"), out)
	}
	if _, err := rest.Write([]byte(rawID + "\n")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(rest.Close(), running.Wait()); err != nil || !slices.Equal(x.all("in"), []string{"crm-1.csv"}) {
		t.Errorf("the put that ran: %v, files %v", err, x.all("in"))
	}
	if out, code := x.usher("feeds", "show", "files"); code != 0 || !strings.Contains(out, "watching") || strings.Contains(out, "usher-put") {
		t.Errorf("the feed has seen what was left: %s", out)
	}
}
