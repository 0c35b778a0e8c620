package feeds_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"usher"
)

// names returns the names of the files beside the watched folder, or in it.
func (x *fixture) names(dir string) string {
	x.t.Helper()
	entries, err := os.ReadDir(filepath.Join(x.dir, dir))
	if err != nil {
		x.t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// end sets the state of all jobs that were published.
func (x *fixture) end(state usher.State) {
	x.t.Helper()
	byID, _ := x.published()
	x.jobs.mu.Lock()
	defer x.jobs.mu.Unlock()
	for id := range byID {
		x.jobs.states[id] = state
	}
}

// An export is moved when its job is done, and never before. What was written meanwhile stays.
func TestMove(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.add", "    settle: 1s\n    after: {move: DIR/done/}\n")
	w := x.worker()
	x.write("a.csv", 1)
	x.look(w)
	x.look(w)
	x.wantJobs("a.csv")
	for _, state := range []usher.State{usher.Queued, usher.Running, usher.Retrying, usher.Failed, usher.Cancelled} {
		x.end(state)
		x.look(w)
		if x.names(".") != "a.csv" || x.names("../done") != "" {
			t.Fatalf("the export of a %s job was moved", state)
		}
	}
	x.write("b.csv", 2)
	x.end(usher.Done)
	x.look(w)
	if x.names(".") != "b.csv" || x.names("../done") != "a.csv" {
		t.Errorf("after the job there are %q and %q", x.names("."), x.names("../done"))
	}
	x.look(w)
	x.end(usher.Done)
	x.write("b.csv", 3) // another version, whose job is not done
	x.look(w)
	if x.names(".") != "b.csv" || x.names("../done") != "a.csv" {
		t.Errorf("a changed export was moved: %q and %q", x.names("."), x.names("../done"))
	}
	x.look(w)
	x.end(usher.Done)
	x.write("../done/b.csv", 9) // another file of the same name
	x.look(w)
	if done := x.names("../done"); x.names(".") != "" || !strings.HasSuffix(done, "-b.csv") || !strings.HasPrefix(done, "a.csv b.csv ") {
		t.Errorf("beside a file of its name, there are %q and %q", x.names("."), done)
	}
	x.wantJobs("a.csv", "b.csv", "b.csv")
}

// Exports whose jobs have failed stay, and do not keep others where they are.
func TestMoveBesideFailed(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.add", "    settle: 1s\n    after: {move: DIR/done/}\n")
	w := x.worker()
	const failed, done = 5, 4
	left, moved := "", ""
	for n := range failed + done {
		name := fmt.Sprintf("%d.csv", n)
		x.export(w, name, "idfa", 10+n, 0)
		if n < failed {
			x.endLast(usher.Failed)
			left += " " + name
			continue
		}
		x.endLast(usher.Done)
		moved += " " + name
		x.look(w)
		if " "+x.names(".") != left || " "+x.names("../done") != moved {
			t.Fatalf("after job %d there are %q and %q", n, x.names("."), x.names("../done"))
		}
	}
}

// A folder is moved with its marker, which goes first: it never marks a new export that is
// being written. A move that was interrupted is completed.
func TestMoveFolder(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "", "segment.mirror", "    done_marker: _SUCCESS\n    after: {move: DIR/done/}\n")
	w := x.worker()
	x.write("1.csv", 1)
	x.write("2.csv", 2)
	x.write("_SUCCESS", 0)
	x.look(w)
	x.wantJobs("")
	x.end(usher.Done)
	blocked := filepath.Join(x.dir, "../done/2.csv") // a folder, which no file can replace
	if err := os.MkdirAll(filepath.Join(blocked, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	version := x.state().Last.Version
	other := filepath.Join(x.dir, "../done", version+"-2.csv")
	if err := os.MkdirAll(filepath.Join(other, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if s := x.look(w); !strings.Contains(s.WhyNothing(), "cannot be moved") || x.names(".") != "2.csv" {
		t.Errorf("with a folder in its way, the feed says %q, and there are %q", s.WhyNothing(), x.names("."))
	}
	x.write("3.csv", 3) // of the next export
	if err := os.RemoveAll(other); err != nil {
		t.Fatal(err)
	}
	x.look(x.worker())
	if x.names(".") != "3.csv" || x.names("../done") != "1.csv 2.csv _SUCCESS "+version+"-2.csv" {
		t.Errorf("after the move there are %q and %q", x.names("."), x.names("../done"))
	}
	x.wantJobs("")
}

// An export is moved to another file system by a copy. A copy that a killed worker has left is
// used, and no part of one is visible.
func TestMoveToAnotherFileSystem(t *testing.T) {
	t.Parallel()
	other, err := os.MkdirTemp("/dev/shm", "usher-feeds-*")
	if err != nil {
		t.Skip("there is no other file system: ", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(other) })
	x := newFixture(t, "*.csv", "segment.add", "    settle: 1s\n    after: {move: "+other+"/done/}\n")
	if device(t, other) == device(t, x.dir) {
		t.Skip("there is no other file system")
	}
	w := x.worker()
	w.Places = x.places(filepath.Dir(x.dir), other)
	x.write("a.csv", 1)
	x.write("b.csv", 2)
	x.look(w)
	x.look(w)
	x.end(usher.Done)
	if err := os.MkdirAll(filepath.Join(other, "done"), 0o700); err != nil {
		t.Fatal(err)
	}
	copied, err := os.ReadFile(filepath.Join(x.dir, "a.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(other, "done", "a.csv"), copied, 0o600); err != nil { // then the worker was killed
		t.Fatal(err)
	}
	x.look(w)
	entries, err := os.ReadDir(filepath.Join(other, "done"))
	if err != nil || len(entries) != 2 || entries[0].Name() != "a.csv" || entries[1].Name() != "b.csv" || x.names(".") != "" {
		t.Errorf("after the move there are %v and %q: %v", entries, x.names("."), err)
	}
	x.wantJobs("a.csv", "b.csv")
}

// device names the file system of a folder.
func device(t *testing.T, dir string) string {
	t.Helper()
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(info.Sys().(*syscall.Stat_t).Dev)
}
