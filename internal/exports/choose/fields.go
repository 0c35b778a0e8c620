package choose

import (
	"slices"
	"strings"

	"usher"
	"usher/hashing"
	"usher/internal/exports/places"
)

// Wanted says which ids a job takes from an export.
type Wanted struct {
	Type  usher.IDType // "": any, for an export whose type of ids is not known yet
	Input usher.Input  // "": raw

	// Removes says that the ids are taken out of audiences: what refuses an upload is a warning,
	// because an opt-out is never delayed.
	Removes bool
}

// Declared returns the value that a source declares, "" for auto.
func Declared(value string) string {
	value = strings.ToLower(value)
	if value == "auto" {
		return ""
	}
	return value
}

// SearchFor returns what a job looks for in an export. The files of the export have names
// that begin with base.
func SearchFor(src *usher.Source, wanted Wanted, base places.Origin) Search {
	return Search{
		Type: wanted.Type, Input: wanted.Input, Mixed: Declared(src.TypeColumn) != "", Evidence: newEvidence(base),
		AnyVersion: src.AnyVersion, Removes: wanted.Removes, Only: src.Only, Disregard: src.Disregard,
		Column: src.Column, TypeColumn: src.TypeColumn, Sheet: src.Sheet,
	}
}

// SearchOf returns the search of a plan, for the files that Plan has not looked at.
func SearchOf(src *usher.Source, plan *usher.Plan, base places.Origin) Search {
	return SearchFor(src, Wanted{Type: plan.Type, Input: plan.Input, Removes: plan.Removes}, base)
}

// NoColumn is the error for a column that the source names and the export lacks. accepted are the
// values that the field may have.
func NoColumn(from places.Origin, field, wanted, accepted string) error {
	return from.Broken("set source."+field+" to "+accepted, "it has no column %q (source.%s)", hashing.MaskIDs(wanted), field)
}

// NameOf returns the name of a column that a field of the source has: column or typeColumn.
func NameOf(src *usher.Source, field string) string {
	if field == "typeColumn" {
		return src.TypeColumn
	}
	return src.Column
}

// MissingColumn is the error for a field that names a column which an export lacks that has names of
// columns. It names all other such fields, too.
func MissingColumn(from places.Origin, src *usher.Source, field string, columns []Column) error {
	s := SearchFor(src, Wanted{}, from)
	if list := s.missing(columns); len(list) > 1 && slices.ContainsFunc(list, func(m missing) bool { return m.field == field }) {
		return s.missingError(from, columns, list)
	}
	return NoColumn(from, field, NameOf(src, field), "one of: "+Listed(columns))
}

// SameColumn is the error for one column of both ids and types.
func SameColumn(from places.Origin) error {
	return from.Broken("set source.typeColumn to the column with the type of each row's id",
		"source.typeColumn names the column of the ids")
}

// SeveralNamed is the error for a name that several columns have.
func SeveralNamed(from places.Origin, field string, columns []Column, which []int) error {
	slices.Sort(which)
	return from.Broken("set source."+field+" to the number of one of: "+ListedOf(columns, slices.Compact(which)),
		"several of its columns have the name that source.%s gives", field)
}

// WhyNamed is why a plan has a column that the source names.
const WhyNamed = "source.column names it"
