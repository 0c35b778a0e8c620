package fleet_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"usher/internal/fleet"
)

// A server, or a Sentinel, without a password takes commands from a stranger; one with a password
// refuses them, whatever the login in the address is.
func TestAsStranger(t *testing.T) {
	t.Parallel()
	open := startNode(t, func(addr string) []string { return []string{"--port", portOf(addr)} })
	guarded := startNode(t, func(addr string) []string { return []string{"--port", portOf(addr), "--requirepass", "secret"} })
	sentinel := func(settings string) *server {
		return startNode(t, func(addr string) []string {
			path := filepath.Join(t.TempDir(), "sentinel.conf")
			text := fmt.Sprintf("port %s\nsentinel monitor usher 127.0.0.1 %s 1\nsentinel auth-pass usher secret\n%s", portOf(addr), portOf(guarded.addr), settings)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			return []string{path, "--sentinel"}
		})
	}
	openSentinel, guardedSentinel := sentinel(""), sentinel("requirepass secret\n")
	for address, want := range map[string]map[string]bool{ // whether they refuse a stranger
		"redis://" + open.addr:            {open.addr: false},
		"redis://:secret@" + guarded.addr: {guarded.addr: true},
		"redis+sentinel://:secret@" + openSentinel.addr + "?master_name=usher&sentinel_password=secret&addr=" + guardedSentinel.addr: {openSentinel.addr: false, guardedSentinel.addr: true},
	} {
		answers, err := fleet.AsStranger(t.Context(), address, nil)
		if err != nil || len(answers) != len(want) {
			t.Errorf("%s: %v, %v", address, answers, err)
		}
		for host, refuses := range want {
			if err := answers[host]; fleet.IsRefusal(err) != refuses || (err == nil) == refuses {
				t.Errorf("%s answered a stranger: %v", host, err)
			}
		}
	}
}
