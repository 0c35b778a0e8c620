package presence_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	natsserver "github.com/nats-io/nats-server/v2/server"

	"usher/queues/queuetest"
)

// mountSmall mounts a file system of 8 MiB on a folder, or skips the test.
func mountSmall(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=8m"); err != nil {
		t.Skip("this user may not mount a file system: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// A full disk is noticed by the next heartbeat, although shorter values still fit into the
// last block of a file.
func TestHeartbeatOnFullDisk(t *testing.T) {
	t.Parallel()
	dir := mountSmall(t)
	b := queuetest.NewOn(t, &natsserver.Options{StoreDir: dir})
	p := b.Queue(t).Presence()
	if err := p.Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	filler, err := os.Create(filepath.Join(dir, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = filler.Close() }() // its content does not matter
	for err == nil {
		_, err = filler.Write(make([]byte, 4096))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	if err := p.Write(t.Context()); err == nil {
		t.Error("a heartbeat was stored on a full disk")
	}
}
