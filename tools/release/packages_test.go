package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// installed are the files that each package has, except those whose place differs.
var installed = map[string]os.FileMode{
	"usr/bin/usher":                                  0o755,
	"etc/usher/usher.yaml":                           0o644,
	"usr/lib/systemd/system/usher.service":           0o644,
	"usr/lib/sysusers.d/usher.conf":                  0o644,
	"usr/share/man/man1/usher.1.gz":                  0o644,
	"usr/share/doc/usher/CHANGELOG.md.gz":            0o644,
	"usr/share/doc/usher/examples/nats.conf":         0o644,
	"usr/share/doc/usher/examples/sentinel.conf":     0o644,
	"usr/share/doc/usher/THIRD-PARTY-LICENSES.gz":    0o644,
	"usr/share/bash-completion/completions/usher":    0o644,
	"usr/share/fish/vendor_completions.d/usher.fish": 0o644,
}

func TestDebianPackage(t *testing.T) {
	t.Parallel()
	path := finished(t, "_linux_amd64.deb")
	tool(t, "dpkg-deb", "dpkg")
	root, control := t.TempDir(), t.TempDir()
	run(t, "dpkg-deb", "-x", path, root)
	run(t, "dpkg-deb", "-e", path, control)
	wantInstalled(t, root, "usr/share/zsh/vendor-completions/_usher", "usr/share/doc/usher/copyright")
	if got := run(t, "cat", filepath.Join(control, "conffiles")); got != "/etc/usher/usher.yaml" {
		t.Errorf("configuration files: %q", got)
	}
	for _, script := range []string{"postinst", "prerm", "postrm"} {
		run(t, "sh", "-n", filepath.Join(control, script))
	}
	if fields := run(t, "dpkg-deb", "-f", path); !strings.Contains(fields, "Architecture: amd64") || !strings.Contains(fields, "Depends: ca-certificates, tzdata") {
		t.Errorf("fields:\n%s", fields)
	}
	if got := run(t, "dpkg-deb", "-f", finished(t, "_linux_arm64.deb"), "Architecture"); got != "arm64" {
		t.Errorf("the package for arm64 says %s", got)
	}
}

func TestRPMPackage(t *testing.T) {
	t.Parallel()
	path := finished(t, "_linux_amd64.rpm")
	tool(t, "rpm2cpio", "rpm2cpio")
	tool(t, "cpio", "cpio")
	root := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", `rpm2cpio "$1" | cpio -idm --quiet --no-absolute-filenames`, "sh", path)
	cmd.Dir = root
	if _, err := outputOf(cmd); err != nil {
		t.Fatal(err)
	}
	wantInstalled(t, root, "usr/share/zsh/site-functions/_usher", "usr/share/doc/usher/LICENSE")
	tool(t, "rpm", "rpm")
	query := func(path, format string) string {
		return run(t, "rpm", "-qp", "--nosignature", "--queryformat", format, path)
	}
	if got := query(path, "%{NAME} %{ARCH} %{LICENSE} %{BUILDHOST}"); got != "usher x86_64 Apache-2.0 localhost" {
		t.Errorf("the package says %q", got)
	}
	if got := query(path, "[%{FILENAMES} %{FILEFLAGS:fflags}\n]"); !strings.Contains(got, "/etc/usher/usher.yaml cn") {
		t.Errorf("the configuration may be replaced by an upgrade:\n%s", got)
	}
	if got := query(finished(t, "_linux_arm64.rpm"), "%{ARCH}"); got != "aarch64" {
		t.Errorf("the package for arm64 says %s", got)
	}
}

// wantInstalled checks the files below a root: what is there, that the binary reads the
// configuration and is the one that the unit starts, and that shells accept the completions.
func wantInstalled(t *testing.T, root string, more ...string) {
	t.Helper()
	want := maps.Clone(installed)
	for _, name := range more {
		want[name] = 0o644
	}
	for name, mode := range want {
		info, err := os.Stat(filepath.Join(root, name))
		if err != nil {
			t.Error(err)
		} else if info.Mode() != mode || info.Size() == 0 {
			t.Errorf("%s has the mode %v and %d bytes", name, info.Mode(), info.Size())
		}
	}
	unit := run(t, "cat", filepath.Join(root, "usr/lib/systemd/system/usher.service"))
	start := regexp.MustCompile(`(?m)^ExecStart=(\S+) run --config (\S+)$`).FindStringSubmatch(unit)
	if start == nil {
		t.Fatalf("the unit starts something else:\n%s", unit)
	}
	program, config := filepath.Join(root, start[1]), filepath.Join(root, start[2])
	wantVersion(t, run(t, program, "version", "--json"), "linux/amd64")
	// It reads the configuration, and then does not find NATS, which nobody serves on this port.
	cmd := exec.CommandContext(t.Context(), program, "jobs", "ls", "--config", config, "--nats", "nats://127.0.0.1:1")
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "127.0.0.1:1") {
		t.Errorf("with the packaged configuration: %v\n%s", err, out)
	}
	run(t, "bash", "-n", filepath.Join(root, "usr/share/bash-completion/completions/usher"))
	if manual := run(t, "gzip", "-dc", filepath.Join(root, "usr/share/man/man1/usher.1.gz")); !strings.Contains(manual, ".TH USHER 1") {
		t.Errorf("the man page begins with %.40q", manual)
	}
	if !strings.Contains(unit, "\nUser=usher\n") || !strings.HasPrefix(run(t, "cat", filepath.Join(root, "usr/lib/sysusers.d/usher.conf")), "u usher ") {
		t.Errorf("the user of the unit is not declared:\n%s", unit)
	}
}

// Each release has the licences of what is in it.
func TestLicences(t *testing.T) {
	t.Parallel()
	text := run(t, "tar", "-xzOf", finished(t, "_linux_amd64.tar.gz"), "--wildcards", "*/THIRD-PARTY-LICENSES")
	for _, module := range []string{"Go", "github.com/nats-io/nats.go", "github.com/redis/go-redis/v9"} {
		if !strings.Contains(text, fmt.Sprintf("==== %s: LICENSE", module)) {
			t.Errorf("the licence of %s is missing", module)
		}
	}
}
