package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// machine is a folder that is the root of a file system: it has a shell, and commands of systemd
// that only note that they were called.
type machine struct {
	t    *testing.T
	root string
}

func newMachine(t *testing.T) machine {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("installing into another root needs root here: run the test as root")
	}
	m := machine{t, t.TempDir()}
	for _, folder := range []string{"bin", "dev", "etc", "tmp", "usr/bin", "run/systemd/system", "var/lib/dpkg/info", "var/lib/dpkg/updates"} {
		if err := os.MkdirAll(filepath.Join(m.root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	m.write("var/lib/dpkg/status", "", 0o644)
	for _, library := range regexp.MustCompile(`/\S+`).FindAllString(run(t, "ldd", "/bin/sh"), -1) {
		m.copy(library)
	}
	m.copy("/bin/sh")
	for _, name := range []string{"systemctl", "systemd-sysusers"} {
		m.write(filepath.Join("bin", name), "#!/bin/sh\necho \""+name+" $*\" >> /calls\n", 0o755)
	}
	return m
}

func (m machine) write(name, text string, mode os.FileMode) {
	m.t.Helper()
	if err := os.WriteFile(filepath.Join(m.root, name), []byte(text), mode); err != nil {
		m.t.Fatal(err)
	}
}

// copy copies a file of this machine to the same place.
func (m machine) copy(path string) {
	m.t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		m.t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(m.root, filepath.Dir(path)), 0o755); err != nil {
		m.t.Fatal(err)
	}
	m.write(path, string(data), 0o755)
}

// wantCalls runs a command, and checks which commands of systemd the package's scripts called.
func (m machine) wantCalls(command []string, want ...string) {
	m.t.Helper()
	calls := filepath.Join(m.root, "calls")
	_ = os.Remove(calls) // it may not exist
	out, err := exec.CommandContext(m.t.Context(), command[0], command[1:]...).CombinedOutput()
	if err != nil {
		m.t.Fatalf("%q: %v\n%s", command, err, out)
	}
	got, _ := os.ReadFile(calls) // it does not exist if nothing was called
	if string(got) != strings.Join(append(want, ""), "\n") {
		m.t.Errorf("%q has called:\n%swant:\n%s", command, got, strings.Join(want, "\n"))
	}
}

// works checks that what was installed runs, and that the configuration is the edited one.
func (m machine) works(edited bool) {
	m.t.Helper()
	wantVersion(m.t, run(m.t, "chroot", m.root, "/usr/bin/usher", "version", "--json"), "linux/amd64")
	config := run(m.t, "cat", filepath.Join(m.root, "etc/usher/usher.yaml"))
	if strings.HasSuffix(config, "# mine") != edited {
		m.t.Errorf("edited is %t, but the configuration ends in %q", edited, config[max(0, len(config)-40):])
	}
	m.write("etc/usher/usher.yaml", config+"\n# mine\n", 0o644)
}

// gone checks that the program was removed.
func (m machine) gone() {
	m.t.Helper()
	if _, err := os.Stat(filepath.Join(m.root, "usr/bin/usher")); !os.IsNotExist(err) {
		m.t.Error("usr/bin/usher is still there:", err)
	}
}

// The calls of systemd by an installation, an upgrade and a removal. None starts or restarts a
// worker.
const (
	makesUser = "systemd-sysusers usher.conf"
	reloads   = "systemctl daemon-reload"
	stops     = "systemctl --no-reload disable --now usher.service"
)

// The Debian package is installed, replaces an older version without losing the configuration,
// and is removed.
func TestDebianInstallation(t *testing.T) {
	t.Parallel()
	path := finished(t, "_linux_amd64.deb")
	tool(t, "dpkg", "dpkg")
	m := newMachine(t)
	unpacked, older := filepath.Join(t.TempDir(), "older"), filepath.Join(t.TempDir(), "older.deb")
	run(t, "dpkg-deb", "-R", path, unpacked)
	run(t, "sed", "-i", "s/^Version: .*/Version: 0.0.0~1/", filepath.Join(unpacked, "DEBIAN/control"))
	run(t, "dpkg-deb", "-Znone", "-b", unpacked, older)
	dpkg := func(args ...string) []string {
		return append([]string{"dpkg", "--root=" + m.root, "--force-depends", "--force-confold"}, args...)
	}
	m.wantCalls(dpkg("-i", older), makesUser, reloads)
	m.works(false)
	m.wantCalls(dpkg("-i", path), reloads, makesUser, reloads)
	m.works(true)
	m.wantCalls(dpkg("-r", "usher"), stops, reloads)
	m.gone()
	m.wantCalls(dpkg("-P", "usher"), reloads)
	if _, err := os.Stat(filepath.Join(m.root, "etc/usher/usher.yaml")); !os.IsNotExist(err) {
		t.Error("after a purge, the configuration is still there:", err)
	}
}

// The RPM package is installed, installed again as by an upgrade, and removed.
func TestRPMInstallation(t *testing.T) {
	t.Parallel()
	path := finished(t, "_linux_amd64.rpm")
	tool(t, "rpm", "rpm")
	m := newMachine(t)
	rpm := func(args ...string) []string { return append([]string{"rpm", "--root", m.root}, args...) }
	m.wantCalls(rpm("--initdb"))
	m.wantCalls(rpm("--nodeps", "-i", path), makesUser, reloads)
	m.works(false)
	m.wantCalls(rpm("--nodeps", "-U", "--force", path), makesUser, reloads, reloads)
	m.works(true)
	m.wantCalls(rpm("-e", "usher"), stops, reloads)
	m.gone()
	if _, err := os.Stat(filepath.Join(m.root, "etc/usher/usher.yaml.rpmsave")); err != nil {
		t.Error("the edited configuration is lost:", err)
	}
}
