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

// BenchmarkHash compares the usher hash process with a naive Go program. It fails if their
// outputs differ. With a million ids the startup time is noticeable, with ten million it is
// not. Each run writes a new file, because truncating an old one takes as long as writing it.
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
	hasher := func(name, program string, args ...string) contender {
		out := filepath.Join(dir, name)
		return contender{
			name:   name,
			before: func() error { return removeIfExists(out) },
			do:     func() error { return runRedirected(exec.Command(program, args...), path, out) },
		}
	}
	compare(b, n, hasher("naive", naive), hasher("usher", program, "hash"))
	if fileSHA256(b, filepath.Join(dir, "usher")) != fileSHA256(b, filepath.Join(dir, "naive")) {
		b.Error("the output of usher differs from that of the naive program")
	}
}

// runRedirected runs cmd with stdin from one file and stdout to another.
func runRedirected(cmd *exec.Cmd, from, to string) error {
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

func removeIfExists(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// fileSHA256 returns the SHA-256 of a file.
func fileSHA256(b *testing.B, path string) [sha256.Size]byte {
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
