package places

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
type Origin string

func OriginOf(src *usher.Source) Origin {
	shown := src.Shown()
	if !schemed(shown) {
		return Origin(shown)
	}
	shown, _, _ = strings.Cut(shown, "#")
	if scheme, _, _ := strings.Cut(shown, ":"); strings.Contains(shown, "@") {
		return Origin(scheme + ":…") // a password may stand before the @
	}
	return Origin(shown)
}

// broken says that the export is not what it should be.
func (o Origin) Broken(hint, format string, args ...any) error {
	return o.permanent(usher.SourceBroken, hint, "read", fmt.Sprintf(format, args...))
}

// changed says that the export is not the one any more that was opened or
// planned.
func (o Origin) Changed() error {
	return o.Broken("write the export under another name, rename it when it is whole, then submit the job again",
		"it changed since the job was planned")
}

// refused says that the source is nothing that this worker may or can open.
func (o Origin) refused(hint, format string, args ...any) error {
	return o.permanent(usher.SourceRefused, hint, "open", fmt.Sprintf(format, args...))
}

// missing says that there is no such file, in a place where there may be one.
func (o Origin) missing() error {
	return o.permanent(usher.SourceMissing,
		"publish the job once its file is whole and in its place; if the name is wrong, correct source.url and submit the job again",
		"open", "there is no such file")
}

func (o Origin) permanent(class usher.Class, hint, verb, what string) error {
	return usher.Refuse(class, hint, "%s source %q: %s", verb, string(o), what)
}

// judge is failed for an error that may say what to do by itself, and for one
// that only says that ctx has ended.
func (o Origin) judge(ctx context.Context, verb string, err error) error {
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

// failed is an error that another attempt may mend. Paths stay out of it: err
// must not name one.
func (o Origin) Failed(verb string, err error) error {
	return fmt.Errorf("%s source %q: %w", verb, string(o), err)
}
