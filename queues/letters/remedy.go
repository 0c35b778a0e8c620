package letters

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"usher"
	"usher/internal/readable"
)

// Remedy is a change of a failed job that its error asks for: the fields to set, all of them at once.
type Remedy []Assignment

// Assignment is a field of a job by its dotted name, with a value that Assign takes.
type Assignment struct {
	Field string `json:"field"`
	Value string `json:"value"`
	// Open says that the error does not name the value: a person must put it in the place of Value,
	// which is a word in capitals.
	Open bool `json:"open,omitempty"`
}

// Commands returns the command line that makes the change and replays the jobs of the letters that flags
// of the command select.
func (r Remedy) Commands(selection string) string {
	var b strings.Builder
	b.WriteString("usher dead edit " + selection)
	for _, a := range r {
		b.WriteString(" --set " + readable.ShellWord(a.Field+"="+a.Value))
	}
	return b.String() + " && usher dead replay " + selection
}

// maxRemedies is the largest number of values that are named of one field: more are no advice.
const maxRemedies = 6

// Remedies returns the changes of a failed job that an error's hint asks for, in its order: each is one of several
// ways. There are none if only a replay, or a new job, helps: most invalid jobs cannot be edited, such as a job
// whose id belongs to another one, or whose inline ids were not kept.
func Remedies(class usher.Class, hint string) []Remedy {
	switch {
	case class == usher.Deadline:
		return nil
	case strings.HasPrefix(hint, "use profile "):
		return profiles(hint)
	case class == usher.InvalidJob:
		return nil
	case strings.HasPrefix(hint, "check the segment's id"):
		return []Remedy{open("segment")}
	case strings.HasPrefix(hint, "check the campaign's code"):
		return []Remedy{open("campaign")}
	}
	if found := allNamed(hint); len(found) > 0 {
		return found
	}
	if strings.Contains(hint, "correct it with usher dead edit") {
		return []Remedy{open("source.url")}
	}
	if field := sourceField().FindString(hint); field != "" {
		return []Remedy{open(field)}
	}
	return nil
}

// open returns the change of a field whose value only a person knows.
func open(field string) Remedy {
	value := map[string]string{
		"segment": "ID", "campaign": "CODE", "source.column": "COLUMN", "source.typeColumn": "COLUMN", "source.disregard": "COLUMN",
		"source.only": "COLUMN=VALUE", "source.url": "FILE",
	}[field]
	if value == "" {
		value = "VALUE"
	}
	return Remedy{{Field: field, Value: value, Open: true}}
}

// profiles returns the profiles that fit the segment, as the hint lists them.
func profiles(hint string) (found []Remedy) {
	words, _, _ := strings.Cut(strings.TrimPrefix(hint, "use profile "), ",")
	for profile := range strings.SplitSeq(words, " or ") {
		found = append(found, Remedy{{Field: "profile", Value: profile}})
	}
	return found
}

// Fields of a job, as hints name them.
var (
	sourceField = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bsource\.[a-z][A-Za-z]*`) })
	// setField is a field before its value: source.column to, the profile to, source.cut: , "force": .
	setField = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:\b(source\.[a-z][A-Za-z]*|input|profile|maxRejectPercent) to |\b(source\.cut): |"(force|acceptChange)": )`)
	})
	// unnamedOnly is a condition whose values a person must know.
	unnamedOnly = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`in source\.only, as (.+?=VALUE\|VALUE)`) })
	// joined is what stands between two values that belong together.
	joined = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[^;]*\band (?:set )?$`) })
)

// allNamed is named for a hint that may ask for several changes at once: then the first way of each makes one.
func allNamed(hint string) []Remedy {
	parts := strings.Split(hint, "; and ")
	if len(parts) == 1 {
		return named(hint)
	}
	var all Remedy
	for _, part := range parts {
		if found := named(part); len(found) > 0 {
			all = append(all, found[0]...)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return []Remedy{all}
}

// named returns the changes whose fields stand before their values in a hint.
func named(hint string) (found []Remedy) {
	if m := unnamedOnly().FindStringSubmatch(hint); m != nil {
		found = append(found, Remedy{{Field: "source.only", Value: m[1], Open: true}})
	}
	end := 0
	for _, m := range setField().FindAllStringSubmatchIndex(hint, -1) {
		if m[0] < end { // within a value
			continue
		}
		field := ""
		for group := 1; group <= 3; group++ {
			if at := m[2*group]; at >= 0 {
				field = hint[at:m[2*group+1]]
			}
		}
		values, length := valuesOf(hint[m[1]:])
		isJoined := len(found) > 0 && joined().MatchString(hint[end:m[0]])
		end = m[1] + length
		var ways []Remedy
		for _, value := range values {
			ways = append(ways, Remedy{{Field: field, Value: value}})
		}
		if len(ways) == 0 || len(ways) > maxRemedies {
			ways = []Remedy{open(field)}
		}
		if isJoined {
			last := found[len(found)-1]
			found = found[:len(found)-1]
			for i := range ways {
				ways[i] = append(slices.Clone(last), ways[i]...)
			}
		}
		found = append(found, ways...)
	}
	return found
}

// valuesOf returns the values of a field that a hint goes on with, and the length of their text. There are none if
// the hint describes the value.
func valuesOf(text string) (values []string, length int) {
	for _, list := range []string{"one of: ", "the number of one of: "} {
		if rest, found := strings.CutPrefix(text, list); found {
			end := strings.IndexByte(rest, ';')
			if end < 0 {
				end = len(rest)
			}
			return columnsOf(rest[:end]), len(list) + end
		}
	}
	var list []string
	if d := json.NewDecoder(strings.NewReader(text)); strings.HasPrefix(text, "[") && d.Decode(&list) == nil {
		return []string{text[:d.InputOffset()]}, int(d.InputOffset())
	}
	if quoted, err := strconv.QuotedPrefix(text); err == nil {
		if value, err := strconv.Unquote(quoted); err == nil {
			return []string{value}, len(quoted)
		}
	}
	end := strings.IndexAny(text, " ,;")
	if end < 0 {
		end = len(text)
	}
	switch word := text[:end]; word {
	case "", "a", "an", "the", "their", "one", "…", "COLUMN=VALUE":
		return nil, end
	default:
		return []string{word}, end
	}
}

// columnsOf returns the values that name the columns of a list: "2 (gaid), 5 (idfa)".
func columnsOf(list string) (values []string) {
	for label := range strings.SplitSeq(list, ", ") {
		number, _, _ := strings.Cut(label, " (")
		if number == "…" || strings.Contains(number, " ") {
			return nil // not all of them are named
		}
		values = append(values, number)
	}
	return values
}
