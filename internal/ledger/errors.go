package ledger

import (
	"errors"
	"fmt"

	"gocloud.dev/gcerrors"

	"usher"
)

// DamagedError reports a file or a head that is missing, incomplete or changed. The ledger
// is then never read as empty.
type DamagedError struct {
	Name string // of the file or head
	Why  string
}

func (e *DamagedError) Error() string { return fmt.Sprintf("read ledger: %s %s", e.Name, e.Why) }

// ErrNone means that a target has no ledger.
var ErrNone = errors.New("there is no ledger of it")

// ErrConflict means that another process has changed the head since it was read.
var ErrConflict = errors.New("another process has changed the ledger in between")

// brokenHint says how to repair a damaged ledger.
const brokenHint = "mend it with `usher ledger adopt` (an export of what the platform holds) or `usher ledger rollback` (an older generation), or forget it with `usher ledger drop`"

// listHint says how to repair a damaged suppression list.
const listHint = "restore its file from a backup, or rebuild the list with `usher repair suppression`, from what can be read of it and from the receipts of 'device.forget' jobs"

// JobError returns the error that a job ends with. A damaged ledger ends a job at once.
func JobError(err error) error {
	var damaged *DamagedError
	if errors.As(err, &damaged) && damaged.isSuppression() {
		return &usher.Permanent{Class: usher.LedgerBroken, Hint: listHint, Err: err}
	}
	if damaged != nil {
		return &usher.Permanent{Class: usher.LedgerBroken, Hint: brokenHint, Err: err}
	}
	return err
}

// readError returns the error of reading a file. A missing file is damage.
func readError(name string, err error) error {
	if isNotFound(err) {
		return &DamagedError{name, "is missing"}
	}
	return fmt.Errorf("read ledger file %s: %w", name, err)
}

func isNotFound(err error) bool { return gcerrors.Code(err) == gcerrors.NotFound }
