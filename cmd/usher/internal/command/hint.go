package command

import (
	"regexp"
	"strings"
	"sync"
)

// sourceField matches a field of a job's source in a message, with the words of a hint around it.
// A file's name may contain the same words.
var sourceField = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[\s(])(set )?source\.([A-Za-z]+)\b(: false)?( to\b)?( one of\b| the\b| their\b| a number\b| a column\b)?`)
})

// InFlags returns a hint or a message about a job as it is for a command line: with flags for the
// job's fields, and with each value behind its flag. "set source.column to 2 (gaid)" becomes "use
// --column 2 (gaid)".
func InFlags(text string) string {
	const cut = "source.cut: false"
	text = strings.NewReplacer("submit the job again with "+cut, "set "+cut,
		"name the profile", "give --profile", "set the profile to ", "use --profile ", "set input to ", "use --input ",
		"set maxRejectPercent to ", "use --max-reject-percent ", "raise maxRejectPercent", "raise --max-reject-percent", "raise maxMalformedPercent", "raise --max-malformed-percent",
		`submit the job again with "force": true, or with a greater maxRemovePercent`, "submit it again with --force, or with a greater --max-remove-percent").Replace(text)
	return sourceField().ReplaceAllStringFunc(text, func(match string) string {
		m := sourceField().FindStringSubmatch(match)
		before, set, field, isFalse, to, what := m[1], m[2], m[3], m[4], m[5], m[6]
		flag, known := flagsOfSource()[field]
		if !known {
			return match
		}
		if set != "" {
			set = "use "
		}
		if field == "cut" { // the flag takes no value
			isFalse = ""
		}
		if to != "" && what != "" { // the value is described
			to = " with"
		} else {
			to = ""
		}
		return before + set + flag + isFalse + to + what
	})
}

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
