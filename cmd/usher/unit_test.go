package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnit runs the command of deploy/usher.service with the worker's login, which may not
// declare streams. As long as they are not declared, the command ends and says that usher
// migrate must run first; afterwards it runs.
func TestUnit(t *testing.T) {
	t.Parallel()
	d := newGuardedDeployment(t)
	if err := d.js.DeleteKeyValue(t.Context(), "usher_state"); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "usher.yaml")
	writeFile(t, config, "log: {level: info}\n")
	var commands [][]string
	for line := range strings.Lines(readDeployFile(t, "usher.service")) {
		key, command, _ := strings.Cut(strings.TrimSpace(line), "=")
		if key == "ExecStartPre" || key == "ExecStart" {
			command = strings.NewReplacer("/usr/local/bin/usher ", "", "/etc/usher/usher.yaml", config).Replace(command)
			commands = append(commands, strings.Fields(command))
		}
	}
	d.env = append(d.env, "USHER_NATS_URL="+d.natsURL("worker"))
	var output strings.Builder
	code := 0
	for _, args := range commands {
		var out string
		if out, code = d.usher(args...); code != 0 {
			output.WriteString(out)
			break
		}
	}
	if code != 1 || !strings.Contains(output.String(), "run `usher migrate`") {
		t.Errorf("without streams the unit ends with exit code %d and prints\n%s", code, &output)
	}
	if out, code := d.usher("migrate"); code != 1 || !strings.Contains(out, "run `usher migrate` with the administrator's") {
		t.Errorf("migrate as worker: exit code %d\n%s", code, out)
	}
	d.migrateAsAdmin()
	d.env = append(d.env, "USHER_NATS_URL="+d.natsURL("worker"), "USHER_CONSOLE_LISTEN=127.0.0.1:0")
	self := testProgram(t)
	startProcess(t, "unit", d.env, self, commands[len(commands)-1]...)
	e := newExport(t, d.exports, 100, 7)
	d.publish("segment.add", d.addJob("job", e.path))
	d.wantAllMembers(d.ended("job"), e)
	log, err := os.ReadFile(filepath.Join(logDir(t), "unit.log"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"the worker runs", "nats=nats://127.0.0.1", "lanes.campaign=8", "console=http://127.0.0.1:", d.exports} {
		if !strings.Contains(string(log), want) {
			t.Errorf("the log lacks %q:\n%s", want, log)
		}
	}
}
