package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"usher"
)

// sourceFlags say how an export is read, where that is not to be found out.
type sourceFlags struct {
	column, typeColumn, format, delimiter, encoding, compression string
	doneMarker                                                   string
	noCut                                                        bool
}

// sourceFields are the flags, and the fields of a source that they are.
func sourceFields() map[string]string {
	return map[string]string{
		"column": "column", "type-column": "typeColumn", "format": "format", "delimiter": "delimiter",
		"encoding": "encoding", "compression": "compression", "no-cut": "cut", "done-marker": "doneMarker",
	}
}

func (s *sourceFlags) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.column, "column", "", "the column of the ids: a header's name, a number from 1 on, or in ndjson and parquet a dotted path")
	cmd.Flags().StringVar(&s.typeColumn, "type-column", "", "the column that says of each row which type of id it has (ios, android, gaid …), as in --column")
	choiceFlag(cmd, &s.format, "format", "the export's format", "auto", "text", "csv", "ndjson", "parquet")
	cmd.Flags().Var((*delimiterValue)(&s.delimiter), "delimiter", `between the columns of a csv: "," ";" "|" or tab`)
	choiceFlag(cmd, &s.encoding, "encoding", "its characters' encoding", "auto", "utf-8", "utf-16le", "utf-16be")
	choiceFlag(cmd, &s.compression, "compression", "its compression", "auto", "none", "gzip", "zstd", "zip")
	cmd.Flags().StringVar(&s.doneMarker, "done-marker", "", "the name of a file without which a folder is not whole, such as _SUCCESS")
	cmd.Flags().BoolVar(&s.noCut, "no-cut", false, "never cut it into parts: a csv with line breaks inside quotes needs it")
}

// given is one of these flags that was given, "" for none.
func (s *sourceFlags) given(cmd *cobra.Command) string {
	for _, name := range slices.Sorted(maps.Keys(sourceFields())) {
		if cmd.Flags().Changed(name) {
			return "--" + name
		}
	}
	return ""
}

func (s *sourceFlags) source() *usher.Source {
	source := &usher.Source{
		Column: s.column, TypeColumn: s.typeColumn, Format: s.format, Delimiter: s.delimiter, Encoding: s.encoding, Compression: s.compression,
		DoneMarker: s.doneMarker,
	}
	if s.noCut {
		cut := false
		source.Cut = &cut
	}
	return source
}

// delimiterValue is a delimiter, or a name of one: a tab is hard to type.
type delimiterValue string

func (d *delimiterValue) String() string { return string(*d) }

func (*delimiterValue) Type() string { return "character" }

func (d *delimiterValue) Set(word string) error {
	named := map[string]string{"tab": "\t", `\t`: "\t", "comma": ",", "semicolon": ";", "pipe": "|"}
	if character, ok := named[word]; ok {
		word = character
	}
	if err := oneOf(word, []string{",", ";", "|", "\t", "auto"}); err != nil {
		return fmt.Errorf(`accepted are ",", ";", "|", tab and auto%s`, didYouMean(word, []string{"tab", "comma", "semicolon", "pipe", "auto"}))
	}
	*d = delimiterValue(word)
	return nil
}
