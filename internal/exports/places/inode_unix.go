//go:build unix

package places

import (
	"io/fs"
	"syscall"
)

func inode(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Ino) //nolint:unconvert // not 64 bits everywhere
	}
	return 0
}
