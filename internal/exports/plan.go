package exports

import (
	"cmp"
	"context"
	"slices"

	"usher"
	"usher/hashing"
	"usher/internal/exports/choose"
	"usher/internal/exports/layout"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// Wanted says which ids a job takes from an export.
type Wanted = choose.Wanted

// Plan detects the format of an export and cuts it into parts of partBytes bytes;
// 0 stands for the default. What the source declares is not detected. Plan leaves
// the plan's Input to the caller.
//
// It is source_refused if the place or the scheme is not allowed, source_missing if
// an allowed place has no such file, and source_broken if the export cannot be read
// or is ambiguous. Any other error, such as an I/O error, may be tried again.
func (o *Opener) Plan(ctx context.Context, src *usher.Source, wanted Wanted, partBytes int64) (usher.Plan, error) {
	if src == nil {
		return usher.Plan{}, errNoSource
	}
	if src.IDs != nil { // an empty list is valid: sealing may have dropped all ids
		return planInline(src)
	}
	from := places.OriginOf(src)
	at, err := places.Locate(from, src)
	if err != nil {
		return usher.Plan{}, err
	}
	if at.IsFolder() {
		s := choose.SearchFor(src, wanted, from.File(""))
		s.Folder = true
		warnOfName(from.File(""), at, s)
		plan, err := o.planFolder(ctx, at, src, s, partBytes)
		addEvidence(&plan, s)
		return plan, cmp.Or(err, s.Evidence.Err(), checkPath(from.File(""), plan.Path))
	}
	if src.DoneMarker != "" {
		return usher.Plan{}, usher.Refuse(usher.InvalidJob, "end source.url with / or put a * in its last segment, or leave source.doneMarker out",
			"open source %q: it is not a folder, and only folders have done markers", string(from))
	}
	f, err := o.access.Open(ctx, from, at, headRange)
	if err != nil {
		return usher.Plan{}, err
	}
	defer func() { _ = f.Close() }() // only read
	if err := at.Unchanged(src, usher.File{Name: f.Name, Size: f.Size, Stamp: f.Stamp}); err != nil {
		return usher.Plan{}, err
	}
	s := choose.SearchFor(src, wanted, f.Origin)
	warnOfName(f.Origin, at, s)
	plan, err := o.planFile(ctx, f, src, s, partBytes)
	addEvidence(&plan, s)
	return plan, cmp.Or(err, s.Evidence.Err(), checkPath(f.Origin, plan.Path))
}

// addEvidence adds to a plan what the samples of the export have shown.
func addEvidence(plan *usher.Plan, s choose.Search) {
	plan.Warnings = usher.AddWarnings(s.Evidence.Warnings(), s.UnknownNames()...)
	plan.Hyphens = s.Evidence.Hyphens() && !s.Removes
}

// WithoutEvidence returns the warnings that are not about an export.
func WithoutEvidence(list []usher.Warning) []usher.Warning {
	return slices.DeleteFunc(slices.Clone(list), func(w usher.Warning) bool { return choose.IsEvidence(w.Code) })
}

// checkPath refuses a path of device ids that has one in it, which would be shown and
// stored.
func checkPath(from places.Origin, path string) error {
	if hashing.MaskIDs(path) == path {
		return nil
	}
	return from.Broken("rename that field", "the name of the field of device ids looks like an id, %s", hashing.MaskIDs(path))
}

// planFile is Plan for an open file.
func (o *Opener) planFile(ctx context.Context, f *places.File, src *usher.Source, s choose.Search, partBytes int64) (usher.Plan, error) {
	plan, first, err := o.detect(ctx, f, src, s)
	if err != nil {
		return usher.Plan{}, err
	}
	plan.Size, plan.Stamp, plan.Parts = f.Size, f.Stamp, whole()
	if plan.Format == usher.FormatParquet {
		err := o.layoutParquet(ctx, f, src, s, &plan, positive(partBytes, o.options.PartBytes))
		return plan, err
	}
	if plan.Compression == "zip" {
		if err := o.checkMembers(ctx, f, src, s, &plan); err != nil {
			return plan, err
		}
	}
	if isPacked(&plan) && !o.options.Unverified {
		return plan, o.verify(ctx, f, &plan)
	}
	if cuttable(&plan, src) && !f.Whole {
		plan.Parts = cut(f.Size, positive(partBytes, o.options.PartBytes), first, o.options.MaxParts)
	}
	return plan, nil
}

// cuttable reports whether a file can be read from any byte on.
func cuttable(plan *usher.Plan, src *usher.Source) bool {
	return plan.Compression == "none" && plan.Encoding == "utf-8" && plan.Format != usher.FormatJSON && plan.Format != usher.FormatXLSX && plan.Format != usher.FormatAvro && mayCut(src)
}

// mayCut reports whether the source allows several parts.
func mayCut(src *usher.Source) bool { return src.Cut == nil || *src.Cut }

// headRange is the range that detect reads.
var headRange = places.Range{Size: layout.HeadBytes + 1}

// firstRange returns the range that a part is read from first.
func firstRange(plan *usher.Plan, part usher.Part) places.Range {
	at := max(part.From-1, 0)
	switch {
	case plan.Format == usher.FormatParquet, plan.Format == usher.FormatXLSX, plan.Compression == "zip":
		return headRange // these are not read in order
	case part.To >= 0:
		return places.Range{At: at, Size: part.To - at + rows.Overread}
	case plan.Size >= 0:
		return places.Range{At: at, Size: plan.Size - at}
	}
	return places.Range{At: at, Size: places.MaxRange}
}

// Understood returns how an export is read, as people and programs may see it. It
// returns nil for inline ids.
func Understood(src *usher.Source, plan *usher.Plan) *usher.Understood {
	if src == nil || src.IDs != nil {
		return nil
	}
	u := &usher.Understood{
		Format: plan.Format, Encoding: plan.Encoding, Compression: plan.Compression,
		Skip: plan.Skip, Header: plan.Header != "",
		Column:     usher.UnderstoodColumn{Name: plan.Header, Number: plan.Column + 1, Why: hashing.MaskIDs(plan.Why)},
		TypeColumn: hashing.MaskIDs(declaredColumn(src.TypeColumn)),
		Files:      max(plan.Files, 1),
		Kind:       string(plan.Type), Beside: plan.Beside,
	}
	if plan.Input == usher.InputMD5 {
		u.Kind = string(usher.InputMD5)
	}
	if plan.Path != "" {
		u.Column.Name = plan.Path
	}
	u.Column.Name = hashing.MaskIDs(u.Column.Name)
	switch plan.Format {
	case usher.FormatCSV:
		u.Delimiter, u.Quote, u.Escape = plan.Delimiter, plan.Quote, plan.Escape
	case usher.FormatXLSX:
		u.Sheet = hashing.MaskIDs(plan.Sheet)
	case usher.FormatNDJSON, usher.FormatJSON, usher.FormatAvro:
		u.Column.Number = 0
	}
	return u
}

// declaredColumn returns a column as the source names it, "" for auto.
func declaredColumn(name string) string {
	if choose.Declared(name) == "" {
		return ""
	}
	return name
}
