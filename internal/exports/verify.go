package exports

import (
	"context"
	"io"

	"usher"
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
	switch {
	case plan.Format == "xlsx":
		return o.verifyWorkbook(ctx, f)
	case plan.Compression == "zip":
		return o.verifyArchive(ctx, f)
	}
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

// countingWriter drops what is written to it, and reports the number of bytes.
type countingWriter func(n int)

func (w countingWriter) Write(p []byte) (int, error) {
	w(len(p))
	return len(p), nil
}
