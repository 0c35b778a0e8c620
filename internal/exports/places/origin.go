package places

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"

	"usher"
	"usher/hashing"
)

// Origin is the name of a source in errors and messages: its URL without a query, or
// the number of its ids. Every error of the packages that read exports names it. No
// error contains a value that was read.
type Origin string

// OriginOf returns the origin of a source.
func OriginOf(src *usher.Source) Origin {
	shown := src.Redacted()
	if !hasScheme(shown) {
		return Origin(shown)
	}
	shown, _, _ = strings.Cut(shown, "#")
	if scheme, _, _ := strings.Cut(shown, ":"); strings.Contains(shown, "@") {
		return Origin(scheme + ":…") // there may be a password before the @
	}
	return Origin(shown)
}

// File returns the origin of a file of the folder o.
func (o Origin) File(name string) Origin {
	dir := string(o)
	return Origin(dir[:strings.LastIndexByte(dir, '/')+1] + name)
}

// Broken is the error for an export that cannot be read. The hint says what to do. What looks like an id in
// it is masked, because names in an export, such as the keys of an object, may be ids; the name of the file is not.
func (o Origin) Broken(hint, format string, args ...any) error {
	return o.permanent(usher.SourceBroken, hashing.MaskIDs(hint), "read", hashing.MaskIDs(fmt.Sprintf(format, args...)))
}

// Changed is the error for an export that has changed since it was opened or
// planned.
func (o Origin) Changed() error {
	return o.Broken("write the export under another name, rename it when it is complete, then submit the job again",
		"it changed since the job was planned")
}

// truncated is the error for a file that ends before it should.
func (o Origin) truncated(at int64) error {
	return o.Broken("write the export again and submit the job when the file is complete",
		"it ends after %d bytes: it is truncated", at)
}

// unpinned is the error for a file that can only be read from its beginning.
func (o Origin) unpinned() error {
	return o.Broken("let the server send an ETag or Last-Modified",
		"its server sends nothing that shows whether the file changed, so that it can only be read from its beginning")
}

// refused is the error for a source that this worker may not or cannot open.
func (o Origin) refused(hint, format string, args ...any) error {
	return o.permanent(usher.SourceRefused, hint, "open", fmt.Sprintf(format, args...))
}

// missing is the error for a file that does not exist in an allowed place.
func (o Origin) missing() error {
	return o.permanent(usher.SourceMissing,
		"put the complete file in its place; if its name is wrong, correct it with usher dead edit",
		"open", "there is no such file")
}

func (o Origin) permanent(class usher.Class, hint, verb, what string) error {
	return usher.Refuse(class, hint, "%s source %q: %s", verb, string(o), what)
}

// jobError returns the error for the job: err itself if it says what to do, the cause of
// ctx if ctx has ended, and otherwise an error that may be tried again.
func (o Origin) jobError(ctx context.Context, verb string, err error) error {
	var permanent *usher.Permanent
	var later *usher.RetryAfter
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &permanent), errors.As(err, &later):
		return err
	}
	return o.Failed(verb, err)
}

// Failed is an error that may be tried again. err must not contain a path.
func (o Origin) Failed(verb string, err error) error {
	return fmt.Errorf("%s source %q: %w", verb, string(o), err)
}

// errNoAnswer is why a request failed whose connection was closed before an answer came.
var errNoAnswer = errors.New("the connection was closed before an answer came")

// requestError returns the error of a request. Clients wrap io.EOF if the server or a proxy closes the connection
// before it answers, and no reader may take that for the end of a file or list.
func requestError(err error) error {
	if errors.Is(err, io.EOF) {
		return errNoAnswer
	}
	return err
}

// statError returns the error for the job of a path in an allowed place.
func (o Origin) statError(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG) {
		return o.missing()
	}
	return o.Failed("open", withoutPath(err))
}

// withoutPath removes the path from an error of package os.
func withoutPath(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
