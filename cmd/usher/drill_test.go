package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"usher"
)

// TestRestoreDrill gives the commands of docs/guide/restore-drill.md to a shell, beside a worker
// that runs. They restore a backup on a server of its own, which has what production had, and
// production goes on as before.
func TestRestoreDrill(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "guide", "restore-drill.md"))
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		script.WriteString(block[1])
	}
	ledger := t.TempDir()
	d := newDeployment(t, "USHER_LEDGER_URL="+ledger)
	d.worker("worker")
	if out, code := d.usher("doctor"); code != 0 || !strings.Contains(out, "backup") || !strings.Contains(out, "never made") {
		t.Errorf("before the first backup, doctor exits with %d:\n%s", code, out)
	}
	path := filepath.Join(d.exports, "monday.txt")
	writeFile(t, path, "6D92078A-8246-4BA4-AE5B-76104861E7DC\n0B5D7E1C-31A5-4F1B-9B0E-6F5A1C2D3E4F\n")
	d.publish(usher.SegmentMirror, d.addJob("monday", path))
	d.ended("monday")
	d.publish(usher.SegmentAdd, d.addJob("failed", "/outside/export"))
	d.ended("failed")
	folder := t.TempDir()
	backup := filepath.Join(folder, "usher-2026-11-26")
	saved, code := d.usher("backup", backup)
	if code != 0 {
		t.Fatal(saved)
	}
	if out, code := d.usher("doctor"); code != 0 || !strings.Contains(out, "all jobs that were published until") {
		t.Errorf("after a backup, doctor exits with %d:\n%s", code, out)
	}
	if err := os.CopyFS(filepath.Join(folder, "usher-ledger-2026-11-26"), os.DirFS(ledger)); err != nil {
		t.Fatal(err)
	}

	programs := t.TempDir()
	server, err := natsProgram()
	if err != nil {
		t.Fatal(err)
	}
	for name, program := range map[string]string{"usher": commandProgram(t), "nats-server": server} {
		if err := os.Symlink(program, filepath.Join(programs, name)); err != nil {
			t.Fatal(err)
		}
	}
	drill := strings.NewReplacer("/backups/", folder+"/", "/var/tmp/usher-drill", filepath.Join(folder, "drill"), "4333", fmt.Sprint(freePort(t))).Replace(script.String())
	shell := exec.Command("sh", "-e", "-u")
	shell.Dir, shell.Stdin = t.TempDir(), strings.NewReader(drill)
	shell.Env = append(append(os.Environ(), d.env...), "PATH="+programs+":"+os.Getenv("PATH"))
	printed, err := shell.CombinedOutput()
	out := string(printed)
	if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	messages := regexp.MustCompile(`saved ([0-9,]+ messages)`).FindStringSubmatch(saved)
	if messages == nil || !strings.Contains(out, "restored "+messages[1]) {
		t.Errorf("the backup printed %s, and the drill\n%s", saved, out)
	}
	for _, text := range []string{"monday", "source_refused", "segment/1"} {
		if !strings.Contains(out, text) {
			t.Errorf("the drill does not show %s:\n%s", text, out)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "drill")); err == nil {
		t.Error("the drill leaves its files behind")
	}
	d.publish(usher.SegmentAdd, d.addJob("tuesday", path))
	if r := d.ended("tuesday"); r.State != usher.Done {
		t.Errorf("a job of production after the drill: %s", recordText(r))
	}
	if letters := d.letters(); len(letters) != 1 {
		t.Errorf("production has %d dead letters, want one", len(letters))
	}
}
