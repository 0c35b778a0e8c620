package faults_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"unsafe"
)

// volume is a file system in a file, mounted on a folder.
type volume struct{ image, path string }

// volumeSize is the size of a volume.
const volumeSize = 512 << 20

// newVolume makes and mounts a file system. It returns an error if the machine does not
// permit that.
func newVolume(t testing.TB, dir, name string) (*volume, error) {
	t.Helper()
	v := &volume{image: filepath.Join(dir, name+".ext4"), path: filepath.Join(dir, name)}
	file, err := os.Create(v.image)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(file.Truncate(volumeSize), file.Close(), os.Mkdir(v.path, 0o700)); err != nil {
		return nil, err
	}
	if out, err := exec.Command("mkfs.ext4", "-q", "-F", "-m", "0", v.image).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("mkfs.ext4: %w: %s", err, out)
	}
	if err := v.mount(); err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = v.unmount() }) // the processes that used it have ended
	return v, nil
}

func (v *volume) mount() error {
	if out, err := exec.Command("mount", "-o", "loop", v.image, v.path).CombinedOutput(); err != nil {
		return fmt.Errorf("mount: %w: %s", err, out)
	}
	return nil
}

func (v *volume) unmount() error {
	if out, err := exec.Command("umount", v.path).CombinedOutput(); err != nil {
		return fmt.Errorf("umount: %w: %s", err, out)
	}
	return nil
}

// cutPower drops all writes that were not synced, as a power cut would, and refuses
// further ones. After its users have ended, the volume must be unmounted and mounted.
func (v *volume) cutPower() error {
	dir, err := os.Open(v.path)
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }() // nothing was written
	const shutdown = 0x8004587D        // EXT4_IOC_SHUTDOWN
	flags := uint32(2)                 // EXT4_GOING_FLAGS_NOLOGFLUSH
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, dir.Fd(), shutdown, uintptr(unsafe.Pointer(&flags))); errno != 0 {
		return fmt.Errorf("shut down the file system of %s: %w", v.path, errno)
	}
	return nil
}

// filler is the name of the file that fills a volume.
const filler = "filler"

// fill uses all space of the volume.
func (v *volume) fill() error {
	file, err := os.Create(filepath.Join(v.path, filler))
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // its content does not matter
	var free syscall.Statfs_t
	if err := syscall.Statfs(v.path, &free); err != nil {
		return err
	}
	size, written := int64(free.Bavail)*free.Bsize, int64(0)
	for step := size; step >= 4096; {
		if syscall.Fallocate(int(file.Fd()), 0, written, step) == nil {
			written += step
		} else {
			step /= 2
		}
	}
	return nil
}

// full reports whether a write to the volume fails.
func (v *volume) full() bool {
	probe := filepath.Join(v.path, "probe")
	err := os.WriteFile(probe, make([]byte, 8192), 0o600)
	_ = os.Remove(probe)
	return errors.Is(err, syscall.ENOSPC)
}

// empty removes the filler.
func (v *volume) empty() error { return os.Remove(filepath.Join(v.path, filler)) }
