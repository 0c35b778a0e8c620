package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// store is a store of images for buildah, which needs neither a daemon nor the kernel's
// namespaces with these options.
type store struct {
	t       *testing.T
	options []string
}

func newStore(t *testing.T) store {
	t.Helper()
	tool(t, "buildah", "buildah")
	if os.Getuid() != 0 {
		t.Skip("buildah --isolation chroot needs root here: run the test as root")
	}
	folder, err := os.MkdirTemp("", "usher-images-")
	if err != nil {
		t.Fatal(err)
	}
	s := store{t, []string{"--storage-driver", "vfs", "--root", filepath.Join(folder, "root"), "--runroot", filepath.Join(folder, "run")}}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil { // fails if something is still mounted there
			t.Error(err)
		}
	})
	return s
}

func (s store) command(verb string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(s.t.Context(), "buildah", slices.Concat(s.options, []string{verb}, args)...)
	cmd.Env = append(os.Environ(), "BUILDAH_ISOLATION=chroot")
	return cmd
}

func (s store) run(verb string, args ...string) string {
	s.t.Helper()
	out, err := outputOf(s.command(verb, args...))
	if err != nil {
		s.t.Fatal(err)
	}
	return out
}

// runsAsItStands checks an image: its version, its zones and users, and that all of usher starts
// in it as its unprivileged user.
func (s store) runsAsItStands(image string) {
	t := s.t
	t.Helper()
	container := s.run("from", "--pull-never", image)
	wantVersion(t, s.run("run", container, "/usr/local/bin/usher", "version", "--json"), "linux/amd64")
	rules := filepath.Join(t.TempDir(), "rules.yaml")
	text, err := os.ReadFile("../../deploy/rules/budgets.yaml")
	if err != nil || !strings.Contains(string(text), "timezone: Europe/") {
		t.Fatalf("budgets.yaml has no time zone of Europe: %v", err)
	}
	if err := os.WriteFile(rules, text, 0o644); err != nil {
		t.Fatal(err)
	}
	s.run("copy", container, rules, "/rules.yaml")
	s.run("run", container, "/usr/local/bin/usher", "rules", "check", "/rules.yaml")
	s.starts(container, "/usr/local/bin/usher", "dev", "--data", "/tmp/data", "--nats", "127.0.0.1:0", "--redis", "127.0.0.1:0", "--sandbox", "127.0.0.1:0", "--console", "127.0.0.1:0", "--intake", "")
}

// starts runs a command in a container until it says that it is ready, and ends it.
func (s store) starts(container string, command ...string) {
	t := s.t
	t.Helper()
	cmd := s.command("run", append([]string{container}, command...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, w := io.Pipe()
	cmd.Stdout, cmd.Stderr = w, w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ready := make(chan bool, 1)
	var log bytes.Buffer
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			log.WriteString(lines.Text() + "\n")
			if strings.Contains(lines.Text(), "Press Ctrl-C to stop it") {
				ready <- true
			}
		}
		close(ready)
	}()
	ok := <-ready
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
	_ = cmd.Wait() // the signal's exit code
	_ = w.Close()
	for range ready {
	}
	if !ok {
		t.Errorf("usher did not start in the container:\n%s", &log)
	}
}

// config returns the configuration of an image as imageConfig has it.
func (s store) config(image string) map[string]any {
	s.t.Helper()
	var inspected struct {
		OCIv1 struct {
			Config map[string]any `json:"config"`
		} `json:"OCIv1"`
	}
	if err := json.Unmarshal([]byte(s.run("inspect", "--type", "image", image)), &inspected); err != nil {
		s.t.Fatal(err)
	}
	delete(inspected.OCIv1.Config, "Labels") // buildah adds its version
	return inspected.OCIv1.Config
}

func wantSameConfig(t *testing.T, got map[string]any) {
	t.Helper()
	want, err := json.Marshal(imageConfig())
	if err != nil {
		t.Fatal(err)
	}
	have, err := json.Marshal(got)
	if err != nil || !bytes.Equal(have, want) {
		t.Errorf("the image has the configuration %s, want %s (%v)", have, want, err)
	}
}

func TestImage(t *testing.T) {
	t.Parallel()
	archive := finished(t, "_oci.tar")
	s := newStore(t)
	version, _ := versionOfRelease(t)
	s.run("from", "--name", "pulled", "oci-archive:"+archive+":"+version)
	image := s.run("inspect", "--format", "{{.FromImageID}}", "pulled")
	wantSameConfig(t, s.config(image))
	s.runsAsItStands(image)
	arm := s.run("from", "--arch", "arm64", "oci-archive:"+archive+":"+version)
	if got := s.run("inspect", "--format", "{{.OCIv1.Architecture}}", arm); got != "arm64" {
		t.Errorf("the image for arm64 says %s", got)
	}
}

// The Dockerfile builds, and makes the image that a release has. What it begins with is made of
// this machine's Go, shell and Git, because this test fetches no image.
func TestDockerfile(t *testing.T) {
	t.Parallel()
	_ = finished(t, "SHA256SUMS") // skips
	s := newStore(t)
	s.addGo()
	root := run(t, "git", "rev-parse", "--show-toplevel")
	src := filepath.Join(t.TempDir(), "usher")
	run(t, "git", "clone", "--quiet", "--depth", "1", "file://"+root, src)
	var mounts []string
	for from, to := range map[string]string{"GOROOT": "/usr/local/go", "GOMODCACHE": "/go/pkg/mod", "GOCACHE": "/root/.cache/go-build"} {
		mounts = append(mounts, "--volume", run(t, "go", "env", from)+":"+to)
	}
	args := slices.Concat(mounts, []string{"--pull-never", "--tag", "usher", "--file", filepath.Join(src, "deploy", "Dockerfile"), src})
	s.run("build", args...)
	wantSameConfig(t, s.config("usher"))
	s.runsAsItStands("usher")
}

// addGo makes the image that the Dockerfile builds in.
func (s store) addGo() {
	t := s.t
	t.Helper()
	dockerfile, err := os.ReadFile("../../deploy/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile(`(?m)^FROM (golang:\S+) AS build$`).FindSubmatch(dockerfile)
	if name == nil {
		t.Fatal("the Dockerfile builds in another image")
	}
	root := t.TempDir()
	// Programs of this machine with their libraries.
	files := []string{"/etc/ssl/certs/ca-certificates.crt"}
	shell := ""
	for _, program := range []string{"git", "mkdir", "chmod", "sh"} {
		path, err := exec.LookPath(program)
		if err != nil {
			t.Skipf("this machine has no %s for the image", program)
		}
		files, shell = append(files, path), path
		for _, library := range regexp.MustCompile(`(/\S+) \(0x`).FindAllStringSubmatch(run(t, "ldd", path), -1) {
			files = append(files, library[1])
		}
	}
	for _, path := range files {
		to := filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		run(t, "cp", "-L", path, to)
	}
	for _, folder := range []string{"bin", "tmp"} {
		if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	run(t, "cp", "-L", shell, filepath.Join(root, "bin", "sh")) // the last one
	container := s.run("from", "scratch")
	s.run("copy", container, root, "/")
	// The rest of Go is mounted, because it is large.
	s.run("copy", container, filepath.Join(run(t, "go", "env", "GOROOT"), "lib", "time", "zoneinfo.zip"), "/usr/local/go/lib/time/zoneinfo.zip")
	s.run("config", "--env", "PATH=/usr/local/go/bin:/usr/local/bin:/usr/bin:/bin", "--env", "HOME=/root", "--env", "GOPATH=/go", "--env", "GOTOOLCHAIN=local", container)
	s.run("commit", "--quiet", container, string(name[1]))
}
