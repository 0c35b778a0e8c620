package command

import (
	"regexp"
	"strings"
	"sync"
)

// sourceField matches a field of a job's source in a message. A file's name may contain
// the same words.
var sourceField = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|[\s(])source\.([A-Za-z]+)(: false)?\b`) })

// InFlags returns a hint or a message about a job, with the fields of the job replaced by
// the flags of the command line.
func InFlags(text string) string {
	const cut = "source.cut: false"
	text = strings.NewReplacer("submit the job again with "+cut, "use "+cut, "set "+cut, "use "+cut,
		"name the profile", "give --profile", "set the profile to ", "give --profile ", "set input to ", "give --input ").Replace(text)
	flags := map[string]string{"url": "FILE", "ids": "--ids"}
	for flag, field := range SourceFields() {
		flags[field] = "--" + flag
	}
	return sourceField().ReplaceAllStringFunc(text, func(match string) string {
		parts := sourceField().FindStringSubmatch(match)
		flag, known := flags[parts[2]]
		switch {
		case !known:
			return match
		case parts[2] == "cut": // the flag takes no value
			return parts[1] + flag
		}
		return parts[1] + flag + parts[3]
	})
}
