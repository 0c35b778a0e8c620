package command

import (
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"usher"
)

// SourceFlags say how an export is read, where that is not to be found out.
type SourceFlags struct {
	Column, TypeColumn, Format, Delimiter, Encoding, Compression string
	doneMarker                                                   string
	NoCut                                                        bool
}

// SourceFields are the flags, and the fields of a source that they are.
func SourceFields() map[string]string {
	return map[string]string{
		"column": "column", "type-column": "typeColumn", "format": "format", "delimiter": "delimiter",
		"encoding": "encoding", "compression": "compression", "no-cut": "cut", "done-marker": "doneMarker",
	}
}

func (s *SourceFlags) AddFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.Column, "column", "", "the column of the ids: a header's name, a number from 1 on, or in ndjson and parquet a dotted path")
	cmd.Flags().StringVar(&s.TypeColumn, "type-column", "", "the column that says of each row which type of id it has (ios, android, gaid …), as in --column")
	ChoiceVar(cmd, &s.Format, "format", "the export's format", "auto", "text", "csv", "ndjson", "parquet")
	cmd.Flags().Var((*Delimiter)(&s.Delimiter), "delimiter", `between the columns of a csv: "," ";" "|" or tab`)
	ChoiceVar(cmd, &s.Encoding, "encoding", "its characters' encoding", "auto", "utf-8", "utf-16le", "utf-16be")
	ChoiceVar(cmd, &s.Compression, "compression", "its compression", "auto", "none", "gzip", "zstd", "zip")
	cmd.Flags().StringVar(&s.doneMarker, "done-marker", "", "the name of a file without which a folder is not whole, such as _SUCCESS")
	cmd.Flags().BoolVar(&s.NoCut, "no-cut", false, "never cut it into parts: a csv with line breaks inside quotes needs it")
}

// Given is one of these flags that was given, "" for none.
func (s *SourceFlags) Given(cmd *cobra.Command) string {
	for _, name := range slices.Sorted(maps.Keys(SourceFields())) {
		if cmd.Flags().Changed(name) {
			return "--" + name
		}
	}
	return ""
}

func (s *SourceFlags) Source() *usher.Source {
	source := &usher.Source{
		Column: s.Column, TypeColumn: s.TypeColumn, Format: s.Format, Delimiter: s.Delimiter, Encoding: s.Encoding, Compression: s.Compression,
		DoneMarker: s.doneMarker,
	}
	if s.NoCut {
		cut := false
		source.Cut = &cut
	}
	return source
}
