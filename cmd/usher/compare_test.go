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

// contender is one way to do what another does, too.
type contender struct {
	name   string
	do     func() error
	before func() error // each turn, and is not measured; nil: nothing to prepare
}

// beside lets contenders take turns, in each round one after the other, and
// reports the median of what each took an id, and how many times longer the
// first took than each of the others. On a machine that does other things too,
// the ratio of the processor's time, that of processes waited for included, is
// the steadier one.
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
			began, cpu := time.Now(), cpuTime()
			if err := c.do(); err != nil {
				b.Fatal(c.name, ": ", err)
			}
			walls[i] = append(walls[i], float64(time.Since(began).Nanoseconds())/float64(ids))
			cpus[i] = append(cpus[i], float64((cpuTime()-cpu).Nanoseconds())/float64(ids))
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

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}

// together runs n tasks, so many at once.
func runConcurrently(atOnce, n int, task func(i int) error) error {
	next, failed := make(chan int), make(chan error, atOnce)
	for range atOnce {
		go func() {
			var err error
			for i := range next {
				err = errors.Join(err, task(i))
			}
			failed <- err
		}()
	}
	for i := range n {
		next <- i
	}
	close(next)
	var err error
	for range atOnce {
		err = errors.Join(err, <-failed)
	}
	return err
}

// cpuTime is what this process and those that it waited for have used.
func cpuTime() time.Duration {
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		_ = syscall.Getrusage(who, &u) // it fails for wrong arguments only
		sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return sum
}

// product is the command as it is shipped: a test's own program is not as large,
// and not as fast.
var releaseBinary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "usher-product-*")
	if err != nil {
		return "", err
	}
	return buildRelease(dir, ".")
})

// built is the program of a package, as releases are built.
func buildRelease(dir, pkg string) (string, error) {
	path := filepath.Join(dir, "program")
	build := exec.Command("go", "build", "-tags", "grpcnotrace,disable_grpc_modules", "-trimpath", "-ldflags", "-s -w", "-o", path, pkg)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", pkg, err, out)
	}
	return path, nil
}

// idFile writes n different IDFAs as they come, one a line: random but for their
// number.
func writeIDFile(b *testing.B, dir string, n int) string {
	b.Helper()
	path := filepath.Join(dir, fmt.Sprintf("ids-%d.txt", n))
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	line := []byte("00000000-0000-4000-A000-000000000000\n")
	hex := func(at, digits int, x uint64) {
		for i := at + digits - 1; i >= at; i-- {
			line[i] = "0123456789ABCDEF"[x&15]
			x >>= 4
		}
	}
	for i := range uint64(n) {
		x := (i + 1) * 0x9e3779b97f4a7c15
		hex(0, 8, x>>32)
		hex(9, 4, x>>16)
		hex(15, 3, x)
		hex(20, 3, x>>12)
		hex(24, 12, i)
		_, _ = w.Write(line) // Flush tells
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		b.Fatal(err)
	}
	return path
}

// kilobytes is a line of a process's /proc/PID/status.
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
