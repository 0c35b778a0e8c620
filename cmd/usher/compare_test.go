package main_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// contender is one of several implementations that compare measures.
type contender struct {
	name   string
	do     func() error
	before func() error // prepares each run, unmeasured; optional
}

// compare runs the contenders in turn in each round. It reports the median time
// per id of each contender, and the first contender's time divided by that of
// each other contender. On a busy machine the ratio of CPU times, which include
// child processes, is more stable than that of wall-clock times.
func compare(b *testing.B, ids int, contenders ...contender) {
	b.Helper()
	walls, cpus := make([][]float64, len(contenders)), make([][]float64, len(contenders))
	for b.Loop() {
		for i, c := range contenders {
			if c.before != nil {
				if err := c.before(); err != nil {
					b.Fatal(c.name, ": ", err)
				}
			}
			start, startCPU := time.Now(), cpuTime()
			if err := c.do(); err != nil {
				b.Fatal(c.name, ": ", err)
			}
			walls[i] = append(walls[i], float64(time.Since(start).Nanoseconds())/float64(ids))
			cpus[i] = append(cpus[i], float64((cpuTime()-startCPU).Nanoseconds())/float64(ids))
		}
	}
	b.ReportMetric(0, "ns/op")
	first := contenders[0].name
	for i, c := range contenders {
		b.ReportMetric(median(walls[i]), c.name+"-ns/id")
		if i > 0 {
			b.ReportMetric(median(walls[0])/median(walls[i]), c.name+"-×"+first)
			b.ReportMetric(median(cpus[0])/median(cpus[i]), c.name+"-CPU×"+first)
		}
	}
}

// median sorts values.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// runConcurrently calls task with 0 to n-1 on the given number of goroutines and
// joins the errors.
func runConcurrently(goroutines, n int, task func(i int) error) error {
	next, errs := make(chan int), make(chan error, goroutines)
	for range goroutines {
		go func() {
			var err error
			for i := range next {
				err = errors.Join(err, task(i))
			}
			errs <- err
		}()
	}
	for i := range n {
		next <- i
	}
	close(next)
	var err error
	for range goroutines {
		err = errors.Join(err, <-errs)
	}
	return err
}

// cpuTime returns the CPU time used by this process and the child processes that
// it waited for.
func cpuTime() time.Duration {
	var sum time.Duration
	for _, target := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		_ = syscall.Getrusage(target, &u) // fails only for invalid arguments
		sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return sum
}

// releaseBinary returns the path of usher as it is released, and builds it unless make
// has. The test binary is larger and slower.
var releaseBinary = sync.OnceValues(func() (string, error) {
	if path := os.Getenv("USHER_TEST_PROGRAM"); path != "" {
		return path, nil
	}
	dir, err := os.MkdirTemp("", "usher-product-*")
	if err != nil {
		return "", err
	}
	return buildRelease(dir, ".")
})

// buildRelease builds the program of a package with the flags of a release.
func buildRelease(dir, pkg string) (string, error) {
	path := filepath.Join(dir, "program")
	build := exec.Command("go", "build", "-tags", "grpcnotrace,disable_grpc_modules", "-trimpath", "-ldflags", "-s -w", "-o", path, pkg)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", pkg, err, out)
	}
	return path, nil
}

// writeIDFile writes n different IDFAs, one per line. Their last group of digits
// is the line's index; the rest is pseudorandom.
func writeIDFile(b *testing.B, dir string, n int) string {
	b.Helper()
	path := filepath.Join(dir, fmt.Sprintf("ids-%d.txt", n))
	writeIDs(b, path, 0, n)
	return path
}

// writeIDs writes the IDFAs of the numbers from..to-1, one per line.
func writeIDs(t testing.TB, path string, from, to int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	eachID(from, to, func(line []byte) { _, _ = w.Write(line) }) // Flush returns the error
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// eachID calls visit with the IDFA of each of the numbers from..to-1 and a line feed.
func eachID(from, to int, visit func(line []byte)) {
	line := []byte("00000000-0000-4000-A000-000000000000\n")
	hex := func(at, digits int, x uint64) {
		for i := at + digits - 1; i >= at; i-- {
			line[i] = "0123456789ABCDEF"[x&15]
			x >>= 4
		}
	}
	for i := uint64(from); i < uint64(to); i++ {
		x := (i + 1) * 0x9e3779b97f4a7c15
		hex(0, 8, x>>32)
		hex(9, 4, x>>16)
		hex(15, 3, x)
		hex(20, 3, x>>12)
		hex(24, 12, i)
		visit(line)
	}
}

// procStatusKB returns a value of /proc/PID/status, or 0 if the process is gone.
func procStatusKB(pid int, key string) int {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(data), key+":")
	var kb int
	_, _ = fmt.Sscan(rest, &kb)
	return kb
}
