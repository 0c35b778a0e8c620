package reload_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/reload"
)

// TestKubernetesSecret tests that a Secret that Kubernetes replaces is read again: the file is a
// link to a file in a folder, to which another link leads, which is replaced.
func TestKubernetesSecret(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "..2026_01", "password"), "old")
	link(t, "..2026_01", filepath.Join(dir, "..data"))
	link(t, filepath.Join("..data", "password"), filepath.Join(dir, "password"))
	w := watch(t, map[string]string{"USHER_PLATFORM_PASSWORD_FILE": filepath.Join(dir, "password")})

	write(t, filepath.Join(dir, "..2026_02", "password"), "new")
	link(t, "..2026_02", filepath.Join(dir, "..data.new"))
	rename(t, filepath.Join(dir, "..data.new"), filepath.Join(dir, "..data"))
	w.expect("INFO", "platform.password")
	if now, err := w.config.Reload(); err != nil || now.String("platform.password") != "new" {
		t.Errorf("the password is %q, %v", now.String("platform.password"), err)
	}
	<-w.retried
}

// TestUnreadableFile tests that a file that is removed is reported once, while the old password
// stays in use, and that it is read again once it is back. SIGHUP reports it again.
func TestUnreadableFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "password")
	write(t, file, "old")
	w := watch(t, map[string]string{"USHER_PLATFORM_PASSWORD_FILE": file})
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	w.expect("ERROR", "the last valid one stays in use")
	if now, err := w.config.Reload(); err == nil || now.String("platform.password") != "old" {
		t.Errorf("the password is %q, %v", now.String("platform.password"), err)
	}
	w.hangup <- syscall.SIGHUP
	w.expect("INFO", "SIGHUP")
	w.expect("ERROR", "the last valid one stays in use")
	write(t, file, "new")
	w.expect("INFO", "platform.password")
	<-w.retried
}

// TestChangedConfiguration tests which keys of the configuration file are used without a restart.
func TestChangedConfiguration(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "usher.yaml")
	write(t, file, "redis: {url: 'redis://worker:old@127.0.0.1:6379/0'}\n")
	w := watch(t, nil, "--config", file)
	write(t, file, "redis: {url: 'redis://worker:new@127.0.0.1:6379/0'}\n")
	w.expect("INFO", "redis.url")
	write(t, file, "redis: {url: 'redis://worker:new@127.0.0.2:6379/0'}\nlanes: {bulk: 7}\n")
	w.expect("WARN", "redis.url lanes.bulk")
	write(t, file, "lanes: [\n")
	w.expect("ERROR", "usher.yaml")
	const sentinels = "redis: {url: 'redis+sentinel://worker:%s@s:26379?master_name=usher&sentinel_password=%s'}\n"
	write(t, file, fmt.Sprintf(sentinels, "new", "old"))
	w.expect("WARN", "redis.url")
	write(t, file, fmt.Sprintf(sentinels, "newer", "old"))
	w.expect("INFO", "redis.url")
	write(t, file, fmt.Sprintf(sentinels, "newer", "new"))
	w.expect("WARN", "restart this worker")
}

// TestDamagedUsers tests that a damaged file of users is reported.
func TestDamagedUsers(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "users")
	write(t, file, "ann:admin:\n")
	w := watch(t, map[string]string{"USHER_CONSOLE_USERS": file})
	write(t, file, "ann:emperor:\n")
	w.expect("ERROR", "nobody can log in")
	write(t, file, "ann:viewer:\n")
	w.expect("INFO", "console.users")
}

// watched is a Watcher of a configuration that runs.
type watched struct {
	t       *testing.T
	config  config.Config
	hangup  chan os.Signal
	retried chan struct{} // receives a value when the password has changed
	lines   chan string
}

func watch(t *testing.T, variables map[string]string, args ...string) *watched {
	t.Helper()
	cmd := &cobra.Command{}
	config.AddFlags(cmd)
	if err := cmd.ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(cmd, func(name string) (string, bool) { value, found := variables[name]; return value, found })
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{t: t, config: c, hangup: make(chan os.Signal), retried: make(chan struct{}, 10), lines: make(chan string, 1000)}
	watcher := reload.New(c, w.hangup, func(context.Context) { w.retried <- struct{}{} }, slog.New(slog.NewTextHandler(w, nil)))
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { watcher.Run(ctx) })
	t.Cleanup(func() { stop(); running.Wait() })
	w.hangup <- syscall.SIGHUP // the folders are watched
	w.expect("INFO", "SIGHUP")
	return w
}

func (w *watched) Write(line []byte) (int, error) {
	w.lines <- string(line)
	return len(line), nil
}

// expect waits for a line of the log. Lines about files that are being written may precede it.
func (w *watched) expect(level, words string) {
	w.t.Helper()
	for line := range w.lines {
		if strings.Contains(line, "level="+level) && strings.Contains(line, words) {
			return
		}
		w.t.Log(line)
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+"~", []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	rename(t, path+"~", path)
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}
