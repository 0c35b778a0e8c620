//go:build darwin || linux

package doctor

import "syscall"

// diskSpace returns the bytes that are free for users on the disk of a folder, and its size.
func diskSpace(folder string) (free, size uint64, err error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, 0, err
	}
	block := uint64(s.Bsize)
	return s.Bavail * block, s.Blocks * block, nil
}
