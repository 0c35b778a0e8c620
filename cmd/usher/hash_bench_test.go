package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// BenchmarkHash runs usher hash over a file, as a whole process: beside the same
// program as one would write it first, and beside perl where there is one. That
// all write the same is held, too.
func BenchmarkHash(b *testing.B) {
	const n = 1_000_000
	dir := b.TempDir()
	path := idFile(b, dir, n)
	program, err := product()
	if err != nil {
		b.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	run := func(name string, env []string, program string, args ...string) contender {
		return contender{name, func() error {
			in, err := os.Open(path)
			if err != nil {
				return err
			}
			defer in.Close()
			out, err := os.Create(filepath.Join(dir, name))
			if err != nil {
				return err
			}
			defer out.Close()
			cmd := exec.Command(program, args...)
			cmd.Env = append(os.Environ(), env...)
			cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, os.Stderr
			if err := cmd.Run(); err != nil {
				return fmt.Errorf("run %s: %w", name, err)
			}
			return nil
		}}
	}
	contenders := []contender{
		run("naive", []string{"USHER_TEST_AS_NAIVE_HASH=1"}, self),
		run("usher", nil, program, "hash"),
	}
	if perl, err := exec.LookPath("perl"); err == nil && exec.Command(perl, "-MDigest::MD5", "-e", "1").Run() == nil {
		contenders = append(contenders, run("perl", nil, perl, "-MDigest::MD5=md5_hex", "-ne", `chomp; print md5_hex(uc $_), "\n"`))
	}
	beside(b, n, contenders...)
	want, err := os.ReadFile(filepath.Join(dir, "naive"))
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range contenders[1:] {
		got, err := os.ReadFile(filepath.Join(dir, c.name))
		if err != nil || string(got) != string(want) {
			b.Errorf("%s writes something else: %d bytes, not %d, %v", c.name, len(got), len(want), err)
		}
	}
}
