package doctor

import (
	"errors"
	"fmt"

	"usher/internal/readable"
	"usher/queues"
)

// scarce are the limits of what should be free on a disk, the lowest first.
var scarce = [...]struct {
	share   float64
	bytes   uint64
	says    string
	problem bool // otherwise a warning
}{
	{share: 0.01, says: "1 %", problem: true},
	{bytes: 100e6, says: "100 MB", problem: true},
	{share: 0.10, says: "10 %"},
	{bytes: 1e9, says: "1 GB"},
}

// examineDisk reports how much of the disk of a local folder is free. later says what to do after
// writes have failed.
func (e *examination) examineDisk(what, folder, later string) queues.CheckResult {
	space := e.space
	if space == nil {
		space = diskSpace
	}
	free, size, err := space(folder)
	if err != nil {
		return checked(what, nil, fmt.Sprintf("not checked: %v: run `df -h %s` on the machine", err, folder))
	}
	share := float64(free) / float64(max(size, 1))
	says := fmt.Sprintf("%s of %s free (%.0f %%) at %s", readable.Bytes(int64(free)), readable.Bytes(int64(size)), 100*share, folder)
	for _, limit := range scarce {
		if share >= limit.share && free >= limit.bytes {
			continue
		}
		scarcely := fmt.Sprintf("%s, less than %s: free space, or enlarge the disk, before writes fail%s", says, limit.says, later)
		if limit.problem {
			return checked(what, errors.New(scarcely), "")
		}
		return checked(what, nil, warning+scarcely)
	}
	return checked(what, nil, says)
}
