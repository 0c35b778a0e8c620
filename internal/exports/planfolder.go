package exports

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"usher"
	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
)

// planFolder is Plan for a folder. The first file with a row in it says how all
// are understood; each is held to that when it is read. Files before it have no
// rows and are in no part, nor are files of no bytes, which only text may have.
func (o *Opener) planFolder(ctx context.Context, at places.Location, src *usher.Source, partBytes int64) (usher.Plan, error) {
	files, err := o.access.List(ctx, places.OriginOf(src), at, src.DoneMarker, o.options.MaxFiles)
	if err != nil {
		return usher.Plan{}, err
	}
	var size int64
	var filled []usher.File
	for _, f := range files {
		if size += f.Size; f.Size > 0 {
			filled = append(filled, f)
		}
	}
	if len(filled) == 0 {
		filled = files[:1]
	}
	for {
		plan, rows, err := o.planFirst(ctx, at, src, filled[0])
		if err != nil {
			return usher.Plan{}, err
		}
		if !rows && len(filled) > 1 {
			filled = filled[1:]
			continue
		}
		if err := noneEmpty(places.OriginOf(src), files, &plan); err != nil {
			return plan, err
		}
		cuttable := plan.Compression == "none" && plan.Encoding == "utf-8" && (src.Cut == nil || *src.Cut)
		plan.Size, plan.Stamp = size, stampOfFiles(files)
		partBytes = positive(partBytes, o.options.PartBytes)
		if plan.Format == "parquet" && cuttable && len(filled) <= fewFiles {
			plan.Parts, err = o.cutParquets(ctx, at, src, &plan, filled, partBytes)
			return plan, err
		}
		plan.Parts = cutFiles(filled, cuttable && plan.Format != "parquet", partBytes, o.options.MaxParts)
		return plan, nil
	}
}

// noneEmpty refuses a folder with a file of no bytes where all are Parquet or
// compressed: that has more even without a row, so somebody did not get to write it.
func noneEmpty(o places.Origin, files []usher.File, plan *usher.Plan) error {
	if plan.Format != "parquet" && plan.Compression == "none" {
		return nil
	}
	for _, f := range files {
		if f.Size == 0 {
			return o.File(f.Name).Broken("write it anew and submit the job again; if it is to be empty, remove it",
				"it has no bytes, which is less than the other files of its folder have without a row")
		}
	}
	return nil
}

// planFirst plans one of a folder's files, and reports whether it has rows.
func (o *Opener) planFirst(ctx context.Context, at places.Location, src *usher.Source, listed usher.File) (plan usher.Plan, rows bool, err error) {
	f, err := o.openListed(ctx, at, src, listed, sniffed)
	if err != nil {
		return plan, false, err
	}
	plan, err = o.planFile(ctx, f, src, 0)
	if err != nil {
		_ = f.Close()
		return plan, false, err
	}
	r, err := o.read(ctx, f, src, plan, whole()[0])
	if err != nil {
		_ = f.Close()
		return plan, false, err
	}
	defer func() { _ = r.Close() }() // only read
	b, err := r.Next(ctx)
	if errors.Is(err, io.EOF) {
		return plan, false, nil
	}
	if err != nil {
		return plan, false, err
	}
	b.Release()
	return plan, true, nil
}

// openFirst opens the file of an export by which it was planned.
func (o *Opener) openFirst(ctx context.Context, src *usher.Source, plan usher.Plan) (*places.File, error) {
	if len(plan.Parts) == 0 || len(plan.Parts[0].Files) == 0 {
		return o.access.OpenSource(ctx, src, sniffed)
	}
	at, err := places.Locate(places.OriginOf(src), src)
	if err != nil {
		return nil, err
	}
	return o.openListed(ctx, at, src, plan.Parts[0].Files[0], sniffed)
}

// openListed opens one of a folder's files, which must be as it was listed.
func (o *Opener) openListed(ctx context.Context, at places.Location, src *usher.Source, listed usher.File, first places.Range) (*places.File, error) {
	from := places.OriginOf(src).File(listed.Name)
	f, err := o.access.Open(ctx, from, at.File(listed.Name), first)
	if err != nil {
		return nil, err
	}
	if f.Size != listed.Size || f.Stamp != listed.Stamp {
		_ = f.Close()
		return nil, f.Changed()
	}
	return f, nil
}

// headerBytes is how far a header may reach: a file's first part has so many
// bytes at least.
const headerBytes = 4 << 10

// cutFiles makes parts of files: where they can be cut, each as one file would
// be; where there are more of them than parts, several files a part.
func cutFiles(files []usher.File, cuttable bool, partBytes int64, maxParts int) []usher.Part {
	var parts []usher.Part
	if room := int64(maxParts - len(files)); cuttable && room > 0 {
		var size int64
		for _, f := range files {
			size += f.Size
		}
		partBytes = max(partBytes, size/room+1) // so that a rest of each file is a part, too
		for i, f := range files {
			for _, p := range cut(f.Size, partBytes, headerBytes, maxParts) {
				p.Files = files[i : i+1]
				parts = append(parts, p)
			}
		}
		return parts
	}
	each := (len(files) + maxParts - 1) / maxParts
	for from := 0; from < len(files); from += each {
		parts = append(parts, usher.Part{To: -1, Files: files[from:min(from+each, len(files))]})
	}
	return parts
}

// fewFiles is of how many Parquet files the footers are read before anything is
// sent: more are parts enough, and would take long to open one after the other.
const fewFiles = 64

// cutParquets makes parts of Parquet files by their row groups, once all are seen to
// be as the plan has it.
func (o *Opener) cutParquets(ctx context.Context, at places.Location, src *usher.Source, plan *usher.Plan, files []usher.File, partBytes int64) ([]usher.Part, error) {
	var parts []usher.Part
	for i, listed := range files {
		in, err := o.footerOf(ctx, at, src, plan, listed)
		if err != nil {
			return nil, err
		}
		for _, p := range cutGroups(in.Groups, partBytes, max(o.options.MaxParts/len(files), 1)) {
			p.Files = files[i : i+1]
			parts = append(parts, p)
		}
	}
	return parts, nil
}

// footerOf reads the footer of one of a folder's files, which must have the
// columns of its plan.
func (o *Opener) footerOf(ctx context.Context, at places.Location, src *usher.Source, plan *usher.Plan, listed usher.File) (*parquet.Footer, error) {
	f, err := o.openListed(ctx, at, src, listed, sniffed)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	in, err := parquet.ReadFooter(ctx, f)
	if err != nil {
		return nil, err
	}
	return in, alikeParquet(f, in, plan, usher.Part{Files: []usher.File{listed}})
}

// ownPlan is the plan of a file that is read from its beginning: that of its
// folder, if it is laid out alike. Whether it has a header is its own affair.
func (o *Opener) ownPlan(ctx context.Context, f *places.File, src *usher.Source, plan usher.Plan) (usher.Plan, error) {
	if plan.Format == "parquet" || f.Size == 0 {
		return plan, nil
	}
	own := usher.Plan{Compression: declared(src.Compression), Encoding: declared(src.Encoding), Format: plan.Format}
	h, err := o.head(ctx, f, &own)
	if err != nil {
		return plan, err
	}
	if own.Compression != plan.Compression || own.Encoding != plan.Encoding && len(h.text) > 0 {
		return plan, f.Broken("write all files of the folder in one way, or submit a job for each kind",
			"it is compressed or encoded otherwise than the first file of its folder: %s, %s", own.Compression, own.Encoding)
	}
	if plan.Compression != "none" && !o.options.Unverified {
		if err := o.verify(ctx, f, plan.Compression); err != nil {
			return plan, err
		}
	}
	header, err := h.alike(src, &plan, nil)
	if plan.Header = cmp.Or(plan.Header, "header"); !header {
		plan.Header = ""
	}
	return plan, err
}

// stampOfFiles tells one state of a folder from another.
func stampOfFiles(files []usher.File) string {
	sum := sha256.New()
	for _, f := range files {
		fmt.Fprintf(sum, "%q %d %q\n", f.Name, f.Size, f.Stamp)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}
