package exports

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"usher"
)

// origin is a source as it may be shown: its URL without a query, or how many
// ids it has. Every error of this package names it, and no error holds a value
// that was read.
type origin string

func originOf(src *usher.Source) origin {
	shown := src.Shown()
	if !schemed(shown) {
		return origin(shown)
	}
	shown, _, _ = strings.Cut(shown, "#")
	if scheme, _, _ := strings.Cut(shown, ":"); strings.Contains(shown, "@") {
		return origin(scheme + ":…") // a password may stand before the @
	}
	return origin(shown)
}

// broken says that the export is not what it should be.
func (o origin) broken(hint, format string, args ...any) error {
	return o.permanent(usher.SourceBroken, hint, "read", fmt.Sprintf(format, args...))
}

// changed says that the export is not the one any more that was opened or
// planned.
func (o origin) changed() error {
	return o.broken("write the export under another name, rename it when it is whole, then submit the job again",
		"it changed since the job was planned")
}

// refused says that the source is nothing that this worker may or can open.
func (o origin) refused(hint, format string, args ...any) error {
	return o.permanent(usher.SourceRefused, hint, "open", fmt.Sprintf(format, args...))
}

// missing says that there is no such file, in a place where there may be one.
func (o origin) missing() error {
	return o.permanent(usher.SourceMissing,
		"publish the job once its file is whole and in its place; if the name is wrong, correct source.url and submit the job again",
		"open", "there is no such file")
}

func (o origin) permanent(class usher.Class, hint, verb, what string) error {
	return usher.Refuse(class, hint, "%s source %q: %s", verb, string(o), what)
}

// judge is failed for an error that may say what to do by itself, and for one
// that only says that ctx has ended.
func (o origin) judge(ctx context.Context, verb string, err error) error {
	var permanent *usher.Permanent
	var later *usher.RetryAfter
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &permanent), errors.As(err, &later):
		return err
	}
	return o.failed(verb, err)
}

// failed is an error that another attempt may mend. Paths stay out of it: err
// must not name one.
func (o origin) failed(verb string, err error) error {
	return fmt.Errorf("%s source %q: %w", verb, string(o), err)
}
