package main_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// BenchmarkHash runs usher hash over a file, as a whole process: beside the same
// program as one would write it first, and beside perl where there is one. That
// all write the same is held, too. A million ids show the program's start, ten
// million hardly do. Each writes a new file: emptying an old one is a shell's work,
// and takes as long as writing it.
func BenchmarkHash(b *testing.B) {
	for _, millions := range []int{1, 10} {
		b.Run(fmt.Sprintf("ids=%dM", millions), func(b *testing.B) { benchmarkHash(b, millions*1_000_000) })
	}
}

func benchmarkHash(b *testing.B, n int) {
	dir := b.TempDir()
	path := writeIDFile(b, dir, n)
	program, err := releaseBinary()
	if err != nil {
		b.Fatal(err)
	}
	naive, err := buildRelease(b.TempDir(), "./testdata/naivehash")
	if err != nil {
		b.Fatal(err)
	}
	over := func(name, program string, args ...string) contender {
		out := filepath.Join(dir, name)
		return contender{
			name:   name,
			before: func() error { return removed(out) },
			do:     func() error { return redirected(exec.Command(program, args...), path, out) },
		}
	}
	contenders := []contender{over("naive", naive), over("usher", program, "hash")}
	if perl, err := exec.LookPath("perl"); err == nil && exec.Command(perl, "-MDigest::MD5", "-e", "1").Run() == nil {
		contenders = append(contenders, over("perl", perl, "-MDigest::MD5=md5_hex", "-ne", `chomp; print md5_hex(uc $_), "\n"`))
	}
	compare(b, n, contenders...)
	want := sumOf(b, filepath.Join(dir, "naive"))
	for _, c := range contenders[1:] {
		if got := sumOf(b, filepath.Join(dir, c.name)); got != want {
			b.Errorf("%s writes something else", c.name)
		}
	}
}

// redirected runs cmd with its stdin from one file, and its stdout in another.
func redirected(cmd *exec.Cmd, from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer out.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("run %s: %w", cmd, err)
	}
	return nil
}

func removed(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// sumOf is a file's SHA-256.
func sumOf(b *testing.B, path string) [sha256.Size]byte {
	b.Helper()
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		b.Fatal(err)
	}
	return [sha256.Size]byte(sum.Sum(nil))
}
