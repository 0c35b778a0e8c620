package exports

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"usher/internal/exports/layout"
	"usher/internal/exports/names"
	"usher/internal/exports/unpack"

	"usher"
	"usher/hashing"
	"usher/internal/exports/choose"
	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
)

// planFolder is Plan for a folder. The first file that has rows decides how all
// files are read; each file is checked against it when it is read. Files without
// rows before it, and text files without a byte, are in no part.
func (o *Opener) planFolder(ctx context.Context, at places.Location, src *usher.Source, s choose.Search, partBytes int64) (usher.Plan, error) {
	from := places.OriginOf(src)
	files, err := o.access.List(ctx, from, at, src.DoneMarker, o.options.MaxFiles)
	if err == nil {
		err = at.Unchanged(src, files...)
	}
	if err != nil {
		return usher.Plan{}, err
	}
	names := make([]string, len(files))
	for i := range files {
		names[i] = files[i].Name
	}
	if err := refuseFiles(from, names, s); err != nil {
		return usher.Plan{}, err
	}
	plan, filled, err := o.planFirst(ctx, at, src, s, files)
	if err != nil {
		return usher.Plan{}, err
	}
	if err := refuseEmpty(from, files, &plan); err != nil {
		return plan, err
	}
	plan.Size, plan.Stamp, plan.Files = 0, stampOfFiles(files), len(filled)
	for _, f := range files {
		plan.Size += f.Size
	}
	if err := o.checkFiles(ctx, at, src, s, &plan, filled); err != nil {
		return plan, err
	}
	cuttable := cuttable(&plan, src)
	partBytes = positive(partBytes, o.options.PartBytes)
	if plan.Format == usher.FormatParquet && cuttable && len(filled) <= fewFiles {
		plan.Parts, err = o.cutParquets(ctx, at, src, s, &plan, filled, partBytes)
		return plan, err
	}
	var whole map[string]bool
	switch {
	case plan.Format == usher.FormatParquet, plan.Format == usher.FormatNDJSON && len(filled) > fewFiles:
		cuttable = false
	case plan.Format == usher.FormatNDJSON && cuttable:
		if whole, err = o.filesLacking(ctx, at, src, plan, filled, partBytes); err != nil {
			return plan, err
		}
	}
	plan.Parts = cutFiles(filled, whole, cuttable, partBytes, o.options.MaxParts)
	return plan, nil
}

// checkFiles refuses a folder if one of its files does not fit the plan. If there are
// many, it looks at some. Files of Parquet are checked when they are cut, if there are only a few.
func (o *Opener) checkFiles(ctx context.Context, at places.Location, src *usher.Source, s choose.Search, plan *usher.Plan, files []usher.File) error {
	if plan.Format == usher.FormatParquet && len(files) <= fewFiles {
		return nil
	}
	for i, f := range files {
		if !isSampled(i, len(files)) {
			continue
		}
		var err error
		if plan.Format == usher.FormatParquet {
			_, err = o.footerOf(ctx, at, src, s, plan, f)
		} else {
			err = o.checkListed(ctx, at, src, s, *plan, f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isSampled reports whether the file at an index is one of the fewFiles that are looked at, from
// all over a folder or an archive of n files.
func isSampled(i, n int) bool { return n <= fewFiles || i*fewFiles/n != (i-1)*fewFiles/n || i == 0 }

// filesLacking returns the files of NDJSON that are larger than a part and whose sampled records
// all lack the field of ids. They are not cut, so that their reader can tell whether none has it.
func (o *Opener) filesLacking(ctx context.Context, at places.Location, src *usher.Source, plan usher.Plan, files []usher.File, partBytes int64) (map[string]bool, error) {
	lacking := map[string]bool{}
	for _, listed := range files {
		if listed.Size <= partBytes {
			continue
		}
		f, err := o.openListed(ctx, at, src, listed, headRange)
		if err != nil {
			return nil, err
		}
		h, err := o.readHead(ctx, f, &usher.Plan{Format: plan.Format, Compression: plan.Compression, Encoding: plan.Encoding}, windowBytes)
		_ = f.Close() // only read
		if err != nil {
			return nil, err
		}
		lacking[listed.Name] = h.Lacks(plan.Path)
	}
	return lacking, nil
}

// planFirst plans the first file that has rows. It returns that file and those
// after it that have bytes.
func (o *Opener) planFirst(ctx context.Context, at places.Location, src *usher.Source, s choose.Search, files []usher.File) (usher.Plan, []usher.File, error) {
	var filled []usher.File
	for _, f := range files {
		if f.Size > 0 {
			filled = append(filled, f)
		}
	}
	if len(filled) == 0 {
		filled = files[:1]
	}
	for {
		plan, hasRows, err := o.planListed(ctx, at, src, s, filled[0])
		if err != nil || hasRows || len(filled) == 1 {
			return plan, filled, err
		}
		filled = filled[1:]
	}
}

// refuseFiles refuses a folder or an archive that has, beside other files, one whose name says that its
// ids are those of people who said no, or a folder of such a name. If all files have, it warns.
func refuseFiles(from places.Origin, files []string, s choose.Search) error {
	said, others := "", false
	for _, name := range files {
		says := names.PathSayingNo(name)
		others = others || says == ""
		if !s.DisregardsFile(name) {
			said = cmp.Or(said, says)
		}
	}
	if said == "" || s.Removes {
		return nil
	}
	what, name := "file", hashing.MaskIDs(said)
	if !slices.Contains(files, said) {
		what = "folder"
	}
	disregard := fmt.Sprintf(`set source.disregard to "file:%s" if its ids are meant`, name)
	if !others {
		s.NameSaysNo(from, what, said, "leave it out, or "+disregard)
		return nil
	}
	if what == "folder" {
		return from.Broken("write the archive without it, or "+disregard, "the name of its folder %s says that these people said no", name)
	}
	return from.Broken(fmt.Sprintf(`leave it out: name the other files with a * at the end of source.url, or remove it; or set source.disregard to "file:%s" if its ids are meant`, name),
		"the name of its file %s says that these people said no", name)
}

// warnOfName warns of an export whose name, or that of the folder in which it is, says that its ids are those
// of people who said no.
func warnOfName(from places.Origin, at places.Location, s choose.Search) {
	whole := strings.TrimSuffix(at.String(), "/")
	name := path.Join(path.Base(path.Dir(whole)), path.Base(whole))
	if said := names.PathSayingNo(name); said != "" && !s.DisregardsFile(name) {
		what := "file"
		if said != name || at.IsFolder() {
			what = "folder"
		}
		said = path.Base(said)
		s.NameSaysNo(from, what, said, fmt.Sprintf(`set source.disregard to "file:%s" if its ids are meant`, hashing.MaskIDs(said)))
	}
}

// refuseEmpty refuses a file without a byte if the files are Parquet or compressed.
// Even without rows such a file has bytes, so its writer has failed.
func refuseEmpty(from places.Origin, files []usher.File, plan *usher.Plan) error {
	if !plan.Format.IsBinary() && plan.Compression == "none" {
		return nil
	}
	for _, f := range files {
		if f.Size == 0 {
			return from.File(f.Name).Broken("write it again and submit the job; if it should be empty, remove it",
				"it has no bytes, but a file of this format has some even without rows")
		}
	}
	return nil
}

// planListed plans one file of a folder, and reports whether it has rows.
func (o *Opener) planListed(ctx context.Context, at places.Location, src *usher.Source, s choose.Search, listed usher.File) (plan usher.Plan, hasRows bool, err error) {
	f, err := o.openListed(ctx, at, src, listed, headRange)
	if err != nil {
		return plan, false, err
	}
	plan, err = o.planFile(ctx, f, src, s, 0)
	if err != nil {
		_ = f.Close()
		return plan, false, err
	}
	r, err := o.read(ctx, f, src, plan, whole()[0], choose.Search{})
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

// openFirst opens the file that an export was planned by.
func (o *Opener) openFirst(ctx context.Context, src *usher.Source, plan usher.Plan) (*places.File, error) {
	if len(plan.Parts) == 0 || len(plan.Parts[0].Files) == 0 {
		return o.access.OpenSource(ctx, src, headRange)
	}
	at, err := places.Locate(places.OriginOf(src), src)
	if err != nil {
		return nil, err
	}
	return o.openListed(ctx, at, src, plan.Parts[0].Files[0], headRange)
}

// openListed opens one file of a folder, which must not have changed since it was
// listed.
func (o *Opener) openListed(ctx context.Context, at places.Location, src *usher.Source, listed usher.File, first places.Range) (*places.File, error) {
	f, err := o.access.Open(ctx, places.OriginOf(src).File(listed.Name), at.File(listed.Name), first)
	if err != nil {
		return nil, err
	}
	if f.Size != listed.Size || f.Stamp != listed.Stamp {
		_ = f.Close()
		return nil, f.Changed()
	}
	return f, nil
}

// fewFiles is the number of files whose layout is checked, and whose evidence is taken, before
// anything is sent. The other files of larger folders are checked when they are read. A folder of more files of Parquet or
// NDJSON has enough parts without cutting the files.
const fewFiles = 64

// cutParquets makes parts of the row groups of Parquet files. It refuses files that
// do not fit the plan.
func (o *Opener) cutParquets(ctx context.Context, at places.Location, src *usher.Source, s choose.Search, plan *usher.Plan, files []usher.File, partBytes int64) ([]usher.Part, error) {
	var parts []usher.Part
	for i, listed := range files {
		footer, err := o.footerOf(ctx, at, src, s, plan, listed)
		if err != nil {
			return nil, err
		}
		for _, p := range cutGroups(footer.Groups, partBytes, max(o.options.MaxParts/len(files), 1)) {
			p.Files = files[i : i+1]
			parts = append(parts, p)
		}
	}
	return parts, nil
}

// footerOf reads the footer of one file of a folder, which must have the columns of
// the plan.
func (o *Opener) footerOf(ctx context.Context, at places.Location, src *usher.Source, s choose.Search, plan *usher.Plan, listed usher.File) (*parquet.Footer, error) {
	f, err := o.openListed(ctx, at, src, listed, headRange)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	if _, err := o.ownPlan(ctx, f, src, s, *plan); err != nil {
		return nil, err
	}
	footer, err := parquet.ReadFooter(ctx, f)
	if err != nil {
		return nil, err
	}
	if err := checkColumns(f, footer, plan, usher.Part{Files: []usher.File{listed}}); err != nil || s.Evidence.Examined(f.Origin) {
		return footer, err
	}
	return footer, o.firstEvidence(ctx, f, footer, s, plan)
}

// checkListed refuses a file of a folder that does not fit the plan.
func (o *Opener) checkListed(ctx context.Context, at places.Location, src *usher.Source, s choose.Search, plan usher.Plan, listed usher.File) error {
	f, err := o.openListed(ctx, at, src, listed, headRange)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read
	if _, err := o.ownPlan(ctx, f, src, s, plan); err != nil || plan.Compression != "zip" {
		return err
	}
	return o.checkMembers(ctx, f, src, s, &plan)
}

// ownPlan returns the plan of a file of a folder: the plan of the folder, with the file's
// own header and columns. It refuses a file with another layout.
func (o *Opener) ownPlan(ctx context.Context, f *places.File, src *usher.Source, s choose.Search, plan usher.Plan) (usher.Plan, error) {
	if f.Size == 0 {
		return plan, nil
	}
	if plan.Format == usher.FormatParquet {
		if is, err := beginsParquet(ctx, f); is || err != nil {
			return plan, err
		}
	}
	own := usher.Plan{Compression: choose.Declared(src.Compression), Encoding: choose.Declared(src.Encoding), Format: usher.Format(choose.Declared(src.Format)), Sheet: src.Sheet}
	h, err := o.readHead(ctx, f, &own, noWindows)
	if err != nil {
		return plan, err
	}
	if err := h.CheckFormat(f.Origin, src, own.Format, plan.Format); err != nil {
		return plan, err
	}
	if plan.Format == usher.FormatXLSX {
		return h.OwnSheet(src, s, plan, own.Sheet)
	}
	if own.Compression != plan.Compression || own.Encoding != plan.Encoding && len(h.Text) > 0 {
		return plan, f.Broken("write all files of the folder in the same way, or submit a job for each kind",
			"its compression or encoding is not that of the first file of its folder: %s, %s", own.Compression, own.Encoding)
	}
	if plan.Compression == "zip" {
		return plan, nil // its members are checked when they are read
	}
	return h.Own(src, s, plan, nil)
}

// beginsParquet reports whether a file begins as a Parquet file does.
func beginsParquet(ctx context.Context, f *places.File) (bool, error) {
	begin := make([]byte, min(f.Size, int64(len(parquet.Magic))))
	err := f.ReadFull(ctx, begin, 0)
	return parquet.IsParquet(begin), err
}

// stampOfFiles returns a stamp that changes with any file of a folder.
func stampOfFiles(files []usher.File) string {
	sum := sha256.New()
	for _, f := range files {
		fmt.Fprintf(sum, "%q %d %q\n", f.Name, f.Size, f.Stamp)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// checkMembers refuses an archive if one of its files does not fit the plan. Of many files it
// looks at some.
func (o *Opener) checkMembers(ctx context.Context, f *places.File, src *usher.Source, s choose.Search, plan *usher.Plan) error {
	a, err := unpack.OpenFiles(ctx, f, o.options.MaxRatio)
	if err != nil {
		return err
	}
	if err := refuseFiles(f.Origin, a.Names(), s); err != nil {
		return err
	}
	for i := range a.Len() {
		if !isSampled(i, a.Len()) {
			continue
		}
		in, err := a.OpenMember(i)
		if err != nil {
			return err
		}
		raw, all, err := readBeginning(in)
		_ = in.Close() // only read
		if err != nil {
			return err
		}
		h := &layout.Head{Origin: a.OriginOf(i), Text: unpack.Decode(raw, plan.Encoding), All: all}
		if _, err := h.Own(src, s, *plan, raw); err != nil {
			return err
		}
	}
	return nil
}
