package main

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"time"
)

// binary is usher for a platform.
type binary struct {
	os, arch, path string
}

// buildBinaries builds as the Makefile does, and says what the binary was built from. A build
// must not depend on the settings of this machine.
func (r *release) buildBinaries() error {
	for _, b := range []binary{{os: "linux", arch: "amd64"}, {os: "linux", arch: "arm64"}, {os: "darwin", arch: "amd64"}, {os: "darwin", arch: "arm64"}} {
		b.path = r.path("_%s_%s", b.os, b.arch)
		stamp := "-X main.release=" + r.version + " -X main.commit=" + r.commit + " -X main.date=" + r.time.Format(time.RFC3339)
		cmd := exec.Command("go", "build", "-tags", "grpcnotrace,disable_grpc_modules", "-trimpath", "-buildvcs=false", "-mod=readonly",
			"-ldflags", "-s -w "+stamp, "-o", b.path, "./cmd/usher")
		cmd.Dir = r.folder
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off", "GOEXPERIMENT=", "GOFIPS140=off", "GOAMD64=v1", "GOARM64=v8.0", "GOOS="+b.os, "GOARCH="+b.arch)
		if _, err := outputOf(cmd); err != nil {
			return err
		}
		r.binaries = append(r.binaries, b)
	}
	return nil
}

// host returns the binary that runs on this machine, or "".
func (r *release) host() string {
	for b := range slices.Values(r.binaries) {
		if b.os == runtime.GOOS && b.arch == runtime.GOARCH {
			return b.path
		}
	}
	return ""
}

// linux returns the binaries for packages and images.
func (r *release) linux() []binary {
	return slices.DeleteFunc(slices.Clone(r.binaries), func(b binary) bool { return b.os != "linux" })
}
