package main

import (
	"bufio"
	"crypto/sha256"
	"debug/elf"
	"debug/macho"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"
)

// finished returns the only file of the finished release whose name ends like this.
func finished(t *testing.T, suffix string) string {
	t.Helper()
	folder := os.Getenv("USHER_TEST_RELEASE")
	if folder == "" {
		t.Skip("USHER_TEST_RELEASE names no finished release: run make release-check")
	}
	found, err := filepath.Glob(filepath.Join(folder, "*"+suffix))
	if err != nil || len(found) != 1 {
		t.Fatalf("%d files of the release end in %s: %v", len(found), suffix, err)
	}
	return found[0]
}

// tool skips the test if this machine lacks a command.
func tool(t *testing.T, name, from string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("this machine has no %s: apt-get install %s", name, from)
	}
}

// run runs a command and returns what it printed.
func run(t *testing.T, command ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	out, err := outputOf(cmd)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// sums returns the content of SHA256SUMS by file.
func sums(t *testing.T, path string) map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := map[string]string{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		sum, name, _ := strings.Cut(lines.Text(), "  ")
		all[name] = sum
	}
	return all
}

func TestChecksums(t *testing.T) {
	t.Parallel()
	path := finished(t, "SHA256SUMS")
	want := sums(t, path)
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name() == "SHA256SUMS" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(filepath.Dir(path), f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(data)); got != want[f.Name()] {
			t.Errorf("%s has the sum %s, and SHA256SUMS says %q", f.Name(), got, want[f.Name()])
		}
	}
	if len(want) != len(files)-1 || len(want) < 18 {
		t.Errorf("SHA256SUMS has %d lines for %d files", len(want), len(files)-1)
	}
}

// A second release of the same commit, in another folder and compiled anew, is equal byte for
// byte.
func TestReproducible(t *testing.T) {
	path := finished(t, "SHA256SUMS")
	version, commit := versionOfRelease(t)
	t.Setenv("GOCACHE", t.TempDir())
	again := filepath.Join(t.TempDir(), "a", "longer", "path")
	if strings.HasPrefix(version, "0.0.0-") {
		version = ""
	}
	if err := build(again, commit, version); err != nil {
		t.Fatal(err)
	}
	first, second := sums(t, path), sums(t, filepath.Join(again, "SHA256SUMS"))
	for _, name := range sortedKeys(first) {
		if first[name] != second[name] {
			t.Errorf("%s differs", name)
		}
	}
	if len(first) != len(second) {
		t.Errorf("the releases have %d and %d files", len(first), len(second))
	}
}

type versionJSON struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`
	Date     string `json:"date"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func versionOfRelease(t *testing.T) (version, commit string) {
	t.Helper()
	var v versionJSON
	if err := json.Unmarshal([]byte(run(t, finished(t, "_"+runtime.GOOS+"_"+runtime.GOARCH), "version", "--json")), &v); err != nil {
		t.Fatal(err)
	}
	return v.Version, v.Commit
}

// wantVersion checks what `usher version --json` prints in a release.
func wantVersion(t *testing.T, printed, platform string) {
	t.Helper()
	var v versionJSON
	if err := json.Unmarshal([]byte(printed), &v); err != nil {
		t.Fatalf("%v: %s", err, printed)
	}
	line := run(t, "git", "log", "-1", "--format=%H %ct", v.Commit, "--")
	if !strings.HasPrefix(line, v.Commit+" ") || len(v.Commit) != 40 || v.Version == "" || strings.Contains(v.Version, "unknown") || v.Date == "" || v.Go == "" || v.Platform != platform {
		t.Errorf("usher version --json prints %s", printed)
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	wantVersion(t, run(t, finished(t, "_"+runtime.GOOS+"_"+runtime.GOARCH), "version", "--json"), runtime.GOOS+"/"+runtime.GOARCH)
}

func TestVersionOnARM(t *testing.T) {
	t.Parallel()
	path := finished(t, "_linux_arm64")
	tool(t, "qemu-aarch64-static", "qemu-user-static")
	wantVersion(t, run(t, "qemu-aarch64-static", path, "version", "--json"), "linux/arm64")
}

func TestBinariesAreStatic(t *testing.T) {
	t.Parallel()
	for arch, machine := range map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64} {
		f, err := elf.Open(finished(t, "_linux_"+arch))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if f.Machine != machine {
			t.Errorf("linux/%s is for %s", arch, f.Machine)
		}
		for _, p := range f.Progs {
			if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
				t.Errorf("linux/%s is linked dynamically", arch)
			}
		}
	}
	// Programs for macOS always use its system library, and nothing else.
	for arch, cpu := range map[string]macho.Cpu{"amd64": macho.CpuAmd64, "arm64": macho.CpuArm64} {
		f, err := macho.Open(finished(t, "_darwin_"+arch))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		libraries, err := f.ImportedLibraries()
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range libraries {
			if !strings.HasPrefix(l, "/usr/lib/") && !strings.HasPrefix(l, "/System/Library/") {
				t.Errorf("darwin/%s needs %s", arch, l)
			}
		}
		if f.Cpu != cpu {
			t.Errorf("darwin/%s is for %s", arch, f.Cpu)
		}
	}
}

func TestBillOfMaterials(t *testing.T) {
	t.Parallel()
	f, err := os.Open(finished(t, "_linux_amd64.cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var bom cyclonedx.BOM
	if err := cyclonedx.NewBOMDecoder(f, cyclonedx.BOMFileFormatJSON).Decode(&bom); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, c := range *bom.Components {
		if seen[c.BOMRef] || c.Version == "" {
			t.Errorf("%s is there twice, or has no version", c.BOMRef)
		}
		seen[c.BOMRef] = true
		seen[c.Name] = true
	}
	for _, name := range []string{"std", "github.com/nats-io/nats.go", "github.com/redis/go-redis/v9"} {
		if !seen[name] {
			t.Errorf("the bill of materials lacks %s", name)
		}
	}
}

func TestSection(t *testing.T) {
	t.Parallel()
	const changelog = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A.\n\n## [1.2.0] - 2026-01-02\n\n- B.\n- C.\n\n## [1.2.0-rc.1] - 2026-01-01\n"
	for name, want := range map[string]string{"Unreleased": "### Added\n\n- A.\n", "1.2.0": "- B.\n- C.\n", "1.2.0-rc.1": "\n"} {
		if got, ok := section(changelog, name); got != want || !ok {
			t.Errorf("section %s is %q, %v", name, got, ok)
		}
	}
	if _, ok := section(changelog, "1.1.0"); ok {
		t.Error("found a section that does not exist")
	}
}
