package command

import (
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"usher"
)

// SourceFlags are the flags that describe an export, for what cannot be detected.
type SourceFlags struct {
	Column, TypeColumn, Format, Delimiter, Encoding, Compression string
	DoneMarker                                                   string
	NoCut                                                        bool
}

// SourceFields returns the field of a job's source that each flag sets.
func SourceFields() map[string]string {
	return map[string]string{
		"column": "column", "type-column": "typeColumn", "format": "format", "delimiter": "delimiter",
		"encoding": "encoding", "compression": "compression", "no-cut": "cut", "done-marker": "doneMarker",
	}
}

// AddFlags adds the flags to cmd.
func (s *SourceFlags) AddFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.Column, "column", "", "the column of the ids: a header's name, a number from 1 on, or in ndjson and parquet a dotted path")
	cmd.Flags().StringVar(&s.TypeColumn, "type-column", "", "the column with the type of each row's id (ios, android, gaid …), as in --column")
	ChoiceVar(cmd, &s.Format, "format", "the export's format", "auto", "text", "csv", "ndjson", "parquet")
	cmd.Flags().Var((*delimiter)(&s.Delimiter), "delimiter", `the delimiter of a csv: "," ";" "|" or tab`)
	ChoiceVar(cmd, &s.Encoding, "encoding", "the export's character encoding", "auto", "utf-8", "utf-16le", "utf-16be")
	ChoiceVar(cmd, &s.Compression, "compression", "the export's compression", "auto", "none", "gzip", "zstd", "zip")
	cmd.Flags().StringVar(&s.DoneMarker, "done-marker", "", "a file whose presence means that the folder is complete, such as _SUCCESS")
	cmd.Flags().BoolVar(&s.NoCut, "no-cut", false, "never cut the export into parts; needed for a csv with line breaks inside quotes")
}

// Changed returns the first of these flags that the command line has, or "".
func (s *SourceFlags) Changed(cmd *cobra.Command) string {
	for _, name := range slices.Sorted(maps.Keys(SourceFields())) {
		if cmd.Flags().Changed(name) {
			return "--" + name
		}
	}
	return ""
}

// Source returns the source that the flags describe, without its URL or ids.
func (s *SourceFlags) Source() *usher.Source {
	source := &usher.Source{
		Column: s.Column, TypeColumn: s.TypeColumn, Format: s.Format, Delimiter: s.Delimiter, Encoding: s.Encoding, Compression: s.Compression,
		DoneMarker: s.DoneMarker,
	}
	if s.NoCut {
		cut := false
		source.Cut = &cut
	}
	return source
}
