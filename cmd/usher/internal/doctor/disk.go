package doctor

import (
	"errors"
	"fmt"

	"usher/internal/readable"
	"usher/queues"
)

// A disk on which less than this is free is a warning; less than a tenth of it is a problem.
const (
	scarceShare = 0.10
	scarceBytes = 1 << 30
)

// examineDisk reports how much of the disk of a local folder is free.
func (e *examination) examineDisk(what, folder string) queues.Finding {
	space := e.space
	if space == nil {
		space = diskSpace
	}
	free, size, err := space(folder)
	if err != nil {
		return finding(what, nil, fmt.Sprintf("not checked: %v: run `df -h %s` on the machine", err, folder))
	}
	share := float64(free) / float64(max(size, 1))
	says := fmt.Sprintf("%s of %s free (%.0f %%) at %s", readable.Bytes(int64(free)), readable.Bytes(int64(size)), 100*share, folder)
	const repair = ": free space, or enlarge the disk, before writes fail"
	switch {
	case share < scarceShare/10 || free < scarceBytes/10:
		return finding(what, errors.New(says+repair), "")
	case share < scarceShare || free < scarceBytes:
		return finding(what, nil, "warning: "+says+repair)
	}
	return finding(what, nil, says)
}
