package exports

import (
	"cmp"

	"usher"
	"usher/hashing"
)

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
	}
	if plan.Path != "" {
		u.Column.Name = plan.Path
	}
	u.Column.Name = hashing.MaskIDs(u.Column.Name)
	switch plan.Format {
	case "csv":
		u.Delimiter, u.Quote, u.Escape = plan.Delimiter, cmp.Or(plan.Quote, "double"), cmp.Or(plan.Escape, "double")
	case "xlsx":
		u.Sheet = hashing.MaskIDs(plan.Sheet)
	case "ndjson", "json", "avro":
		u.Column.Number = 0
	}
	return u
}

// declaredColumn returns a column as the source names it, "" for auto.
func declaredColumn(name string) string {
	if declared(name) == "" {
		return ""
	}
	return name
}
