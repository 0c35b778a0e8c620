package ledger

import (
	"errors"
	"fmt"
	"io"

	"gocloud.dev/blob"
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
	return storeError("read ledger file", name, err)
}

// bodyError returns the error of reading records of a file of a known size, which its trailer has proved. The
// file ends early only if it has become shorter since: otherwise the response was cut, which is no damage.
func bodyError(name string, body *blob.Reader, size int64, err error) error {
	if isCut(err) && body.Size() < size {
		return &DamagedError{name, "ends early"}
	}
	return readError(name, err)
}

// storeError returns the error of an operation on the store. If a connection is closed before the answer is
// complete, gocloud returns an error that is io.EOF or io.ErrUnexpectedEOF, which callers would take for the end
// of the records. So the error that is returned is neither.
func storeError(doing, name string, err error) error {
	if isCut(err) {
		err = errors.New("the connection was closed before the answer was complete: " + err.Error())
	}
	return fmt.Errorf("%s %s: %w", doing, name, err)
}

func isCut(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

func isNotFound(err error) bool { return gcerrors.Code(err) == gcerrors.NotFound }
