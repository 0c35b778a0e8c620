package exports

import (
	"context"
	"io"

	"usher"
	"usher/internal/exports/archive"
	"usher/internal/exports/compression"
	"usher/internal/exports/places"
)

// expand opens a compressed stream within the limits of the options.
func (o *Opener) expand(in *places.Input, kind string) (*compression.Stream, error) {
	return compression.Open(in, kind, compression.Limits{Ratio: o.options.MaxRatio, Window: o.options.MaxWindow})
}

// isPacked reports whether an export has a checksum, which verify checks.
func isPacked(plan *usher.Plan) bool { return plan.Compression != "none" || plan.Format == "xlsx" }

// verify reads a compressed export to its end, where its checksum is. Until then,
// data that is damaged in the middle may be read as other ids, which would be sent.
func (o *Opener) verify(ctx context.Context, f *places.File, plan *usher.Plan) error {
	open := archive.OpenFiles
	switch {
	case plan.Format == "xlsx":
		open = archive.Open
	case plan.Compression != "zip":
		return o.verifyStream(ctx, f, plan)
	}
	a, err := open(ctx, f, o.options.MaxRatio)
	if err != nil {
		return err
	}
	return o.verifyMembers(a)
}

// verifyStream is verify for a compressed stream.
func (o *Opener) verifyStream(ctx context.Context, f *places.File, plan *usher.Plan) error {
	in := places.NewInput(ctx, f, 0, f.Size)
	e, err := o.expand(in, plan.Compression)
	if err != nil {
		return err
	}
	defer e.Close()
	defer o.progress(nil)
	_, err = io.Copy(countingWriter(func(int) { o.progress(&usher.Check{Read: in.Offset(), Total: f.Size}) }), e)
	return err
}

// verifyMembers is verify for an archive.
func (o *Opener) verifyMembers(a *archive.Archive) error {
	check := usher.Check{Total: a.Size()}
	defer o.progress(nil)
	for i := range a.Len() {
		in, err := a.OpenMember(i)
		if err != nil {
			return err
		}
		_, err = io.Copy(countingWriter(func(n int) {
			check.Read += int64(n)
			o.progress(&check)
		}), in)
		_ = in.Close() // only read
		if err != nil {
			return err
		}
	}
	return nil
}

// countingWriter drops what is written to it, and reports the number of bytes.
type countingWriter func(n int)

func (w countingWriter) Write(p []byte) (int, error) {
	w(len(p))
	return len(p), nil
}
