package command

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"usher"
	"usher/internal/readable"
)

// SourceFlags are the flags that describe an export, if detection is not enough.
type SourceFlags struct {
	Column, TypeColumn, Format, Delimiter, Encoding, Compression string
	Quote, Escape, Sheet, IncompleteLastRow                      string
	DoneMarker                                                   string
	Skip                                                         usher.Skip
	Only, Disregard                                              []string
	NoCut, AnyVersion                                            bool
}

// SourceFields returns the field of a job's source that each flag sets.
func SourceFields() map[string]string {
	return map[string]string{
		"column": "column", "type-column": "typeColumn", "format": "format", "delimiter": "delimiter",
		"encoding": "encoding", "compression": "compression", "no-cut": "cut", "done-marker": "doneMarker",
		"quote": "quote", "escape": "escape", "skip": "skip", "sheet": "sheet", "incomplete-last-row": "incompleteLastRow",
		"any-version": "anyVersion",
		"only":        "only", "disregard": "disregard",
	}
}

// AddFlags adds the flags to cmd.
func (s *SourceFlags) AddFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.Column, "column", "", "the column of the ids: a header's name, a number (the first is 1), or in ndjson and parquet a dotted path")
	cmd.Flags().StringVar(&s.TypeColumn, "type-column", "", "the column with the type of each row's id (ios, android, gaid …), as in --column")
	ChoiceVar(cmd, &s.Format, "format", "the export's format", "auto", "text", "csv", "ndjson", "json", "parquet", "avro", "xlsx")
	cmd.Flags().Var((*delimiter)(&s.Delimiter), "delimiter", `the delimiter of a csv: one character, tab, or \u0001 for ^A`)
	ChoiceVar(cmd, &s.Quote, "quote", "double quotes around cells of a csv", "auto", "double", "none")
	ChoiceVar(cmd, &s.Escape, "escape", "how a csv writes a quote in a quoted cell; backslash also escapes outside of quotes", "auto", "double", "backslash", "backslash_in_quotes")
	cmd.Flags().Var((*skip)(&s.Skip), "skip", "lines to skip: how many at the beginning, or the text that each of them begins with, such as #")
	cmd.Flags().StringArrayVar(&s.Only, "only", nil, "take only rows whose column has one of the values, such as 'consent=true|yes'; nothing after = means empty; repeatable")
	cmd.Flags().StringArrayVar(&s.Disregard, "disregard", nil, "a column that says no of rows, or names another kind of id, and decides nothing; a file of a folder as file:NAME; repeatable")
	cmd.Flags().StringVar(&s.Sheet, "sheet", "", "the sheet of an .xlsx workbook (default the first)")
	ChoiceVar(cmd, &s.IncompleteLastRow, "incomplete-last-row", "what to do if the file ends in the middle of its last row (default refuse)", "refuse", "drop")
	ChoiceVar(cmd, &s.Encoding, "encoding", "the export's character encoding", "auto", "utf-8", "utf-16le", "utf-16be")
	ChoiceVar(cmd, &s.Compression, "compression", "the export's compression", "auto", "none", "gzip", "zstd", "zip", "bzip2", "xz", "lz4")
	cmd.Flags().BoolVar(&s.AnyVersion, "any-version", false, "take UUIDs of any version for IDFAs and AAIDs, although those of phones are of version 4")
	cmd.Flags().StringVar(&s.DoneMarker, "done-marker", "", "a file whose presence means that the folder is complete, such as _SUCCESS")
	cmd.Flags().BoolVar(&s.NoCut, "no-cut", false, "never cut the export into parts; needed for a large csv with line breaks inside quotes if usher does not detect them")
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

// Words returns the words of a command line that sets the flags to the same values. It
// omits defaults.
func (s *SourceFlags) Words() []string {
	var words []string
	for _, f := range []struct{ flag, value string }{
		{"column", s.Column}, {"type-column", s.TypeColumn}, {"format", s.Format}, {"delimiter", (*delimiter)(&s.Delimiter).word()},
		{"quote", s.Quote}, {"escape", s.Escape}, {"skip", (*skip)(&s.Skip).word()}, {"sheet", s.Sheet}, {"incomplete-last-row", s.IncompleteLastRow},
		{"encoding", s.Encoding}, {"compression", s.Compression}, {"done-marker", s.DoneMarker},
	} {
		isDefault := f.value == "" || f.value == "auto" && f.flag != "skip" || f.value == "refuse" && f.flag == "incomplete-last-row"
		if !isDefault {
			words = append(words, "--"+f.flag, f.value)
		}
	}
	for _, only := range s.Only {
		words = append(words, "--only", only)
	}
	for _, name := range s.Disregard {
		words = append(words, "--disregard", name)
	}
	if s.NoCut {
		words = append(words, "--no-cut")
	}
	if s.AnyVersion {
		words = append(words, "--any-version")
	}
	return words
}

// Source returns the source that the flags describe, without its URL or ids.
func (s *SourceFlags) Source() *usher.Source {
	source := &usher.Source{
		Column: s.Column, TypeColumn: s.TypeColumn, Format: s.Format, Delimiter: s.Delimiter, Encoding: s.Encoding, Compression: s.Compression,
		Quote: s.Quote, Escape: s.Escape, Skip: s.Skip, Sheet: s.Sheet, IncompleteLastRow: s.IncompleteLastRow,
		DoneMarker: s.DoneMarker, AnyVersion: s.AnyVersion, Only: s.Only, Disregard: s.Disregard,
	}
	if s.NoCut {
		cut := false
		source.Cut = &cut
	}
	return source
}

// sourceField matches a field of a job's source in a message, with the words of a hint around it.
// A file's name may contain the same words.
var sourceField = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[\s(])(set )?source\.([A-Za-z]+)\b(: false| to true\b)?( to\b)?( one of\b| the\b| their\b| a number\b| a column\b)?`)
})

// InFlags returns a hint or a message about a job as it is for a command line: with flags for the
// job's fields, and with each value behind its flag. "set source.column to 2 (gaid)" becomes "use
// --column 2 (gaid)".
func InFlags(text string) string {
	const cut = "source.cut: false"
	text = strings.NewReplacer("submit the job again with "+cut, "set "+cut,
		"name the profile", "give --profile", "set the profile to ", "use --profile ", "set input to ", "use --input ",
		"set maxRejectPercent to ", "use --max-reject-percent ", "raise maxRejectPercent", "raise --max-reject-percent", "raise maxMalformedPercent", "raise --max-malformed-percent",
		`submit the job again with "force": true, or with a greater maxRemovePercent`, "submit it again with --force, or with a greater --max-remove-percent",
		`submit the job again with "acceptChange": true and "force": true`, "submit it again with --accept-change --force",
		`submit the job again with "acceptChange": true`, "submit it again with --accept-change").Replace(text)
	text = sourceField().ReplaceAllStringFunc(text, func(match string) string {
		m := sourceField().FindStringSubmatch(match)
		before, set, field, is, to, what := m[1], m[2], m[3], m[4], m[5], m[6]
		flag, known := flagsOfSource()[field]
		if !known {
			return match
		}
		if set != "" {
			set = "use "
		}
		if field == "cut" || field == "anyVersion" { // the flag takes no value
			is = ""
		}
		if to != "" && what != "" { // the value is described
			to = " with"
		} else {
			to = ""
		}
		return before + set + flag + is + to + what
	})
	return flagLists().ReplaceAllStringFunc(text, func(match string) string {
		flag, list, _ := strings.Cut(match, " ")
		var entries, words []string
		if err := json.Unmarshal([]byte(list), &entries); err != nil {
			return match
		}
		for _, entry := range entries {
			words = append(words, flag+" "+readable.ShellWord(entry))
		}
		return strings.Join(words, " ")
	})
}

// flagLists matches a flag that is repeated for each entry of a list.
var flagLists = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`--(only|disregard) \["(?:[^"\\]|\\.)*"(?:,"(?:[^"\\]|\\.)*")*\]`)
})

// WithFlags returns a hint or a message about a job with the flags of the command line behind the
// fields of the job's source, for readers who may edit a job or submit it again.
func WithFlags(text string) string {
	return sourceField().ReplaceAllStringFunc(text, func(match string) string {
		m := sourceField().FindStringSubmatch(match)
		field := "source." + m[3] + m[4]
		if flag := flagsOfSource()[m[3]]; strings.HasPrefix(flag, "--") {
			return strings.Replace(match, field, field+" ("+flag+")", 1)
		}
		return match
	})
}

// flagsOfSource returns the flag of each field of a job's source.
func flagsOfSource() map[string]string {
	flags := map[string]string{"url": "FILE", "ids": "--ids"}
	for flag, field := range SourceFields() {
		flags[field] = "--" + flag
	}
	return flags
}
