package schema

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"usher/internal/readable"
)

// Issue is one violation of a schema.
type Issue struct {
	// Pointer is the JSON pointer of the invalid value, empty for the whole job.
	// If the name of a field might be a device id, it points to the enclosing
	// object.
	Pointer string `json:"pointer"`
	Message string `json:"message"` // the rule in plain English, never a value
}

// Describe joins issues in one line.
func Describe(issues []Issue) string {
	texts := make([]string, len(issues))
	for i, issue := range issues {
		texts[i] = strings.TrimSpace(issue.Pointer + " " + issue.Message)
	}
	return strings.Join(texts, "; ")
}

func issueAt(path []string, message string) *Issue {
	return &Issue{Pointer: Pointer(path), Message: message}
}

// Pointer returns path as a JSON pointer that ends before the first name that is
// not plain.
func Pointer(path []string) string {
	var b strings.Builder
	for _, name := range path {
		if _, err := strconv.ParseUint(name, 10, 16); err != nil && !plain(name) {
			break
		}
		b.WriteString("/" + name)
	}
	return b.String()
}

// plain reports whether name is certainly the name of a field and not a device
// id: an id that consists of letters only is practically impossible.
func plain(name string) bool {
	letters := strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz_") == ""
	return letters && len(name) >= 1 && len(name) <= 24
}

// patternRule describes a pattern of the schemas in words.
func patternRule(pattern string) string {
	switch pattern {
	case `^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$`:
		return "may hold letters, digits, - and _, and single dots between them"
	case `^[A-Za-z0-9_-]+$`:
		return "may hold only letters, digits, - and _"
	case `^[g-v]{24}$`:
		return "must be 24 letters from g to v"
	case `^[A-Za-z0-9-]+$`:
		return "may hold only letters, digits and -"
	case "^[^/\x00-\x1f\x7f]+$":
		return "may not be empty or hold a slash or control characters"
	case "^[^\x00-\x1f\x7f]+$":
		return "may not be empty or hold control characters"
	case "^[^\x00-\x1f\x7f]*$":
		return "may not hold control characters"
	case "^(auto|[\x01-\t\x0b\f\x0e-!#-\x7f])$":
		return "must be auto or one ASCII character other than a quote, a line end and NUL"
	case `^(segment|campaign)/[A-Za-z0-9_-]+$`:
		return "must be segment/ID or campaign/CODE, such as segment/5"
	case `^[A-Za-z0-9._-]+$`:
		return "may hold only letters, digits, dots, - and _"
	case `^[A-Za-z_][A-Za-z0-9_]*$`:
		return "must begin with a letter or _ and hold only letters, digits and _"
	case "^[^=\x00-\x1f\x7f]+=[^\x00-\x1f\x7f]*$":
		return "must be COLUMN=VALUE, such as consent=yes"
	}
	return "" // TestPatternsHaveWords fails
}

// meantTarget says which kind of target was probably meant by a misspelt one, or "". It quotes no
// value: it only names one of two words.
func meantTarget(value string) string {
	kind, _, found := strings.Cut(value, "/")
	if !found {
		return ""
	}
	return meant(kind, []string{"segment", "campaign"})
}

// issues translates a validation error of document to at most maxIssues issues in
// order.
func (s *compiledSchema) issues(err *jsonschema.ValidationError, document any) []Issue {
	t := translation{schema: s, seen: map[Issue]bool{}}
	if job, ok := document.(map[string]any); ok {
		if source, ok := job["source"].(map[string]any); ok && source["url"] != nil && source["ids"] != nil {
			t.add("/source", "takes url or ids, not both")
		}
		if job["ids"] != nil && job["source"] != nil && s.takesIDs() {
			t.add("", "takes ids or source, not both")
			return t.issues
		}
	}
	t.walk(err)
	slices.SortFunc(t.issues, func(a, b Issue) int {
		return cmp.Or(cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Message, b.Message))
	})
	return t.issues[:min(len(t.issues), maxIssues)]
}

// takesIDs reports whether the kind has the field ids.
func (s *compiledSchema) takesIDs() bool { return s.Properties["ids"] != nil }

// translation collects issues without duplicates.
type translation struct {
	schema *compiledSchema
	issues []Issue
	seen   map[Issue]bool
}

func (t *translation) add(pointer, message string) {
	issue := Issue{pointer, message}
	if !t.seen[issue] {
		t.seen[issue] = true
		t.issues = append(t.issues, issue)
	}
}

// walk translates the leaves below err.
func (t *translation) walk(err *jsonschema.ValidationError) {
	path := err.InstanceLocation
	switch k := err.ErrorKind.(type) {
	case *kind.OneOf:
		t.oneOf(err)
	case *kind.PropertyNames:
		// No other object has this rule. The location in the error is unreliable,
		// because the validator reuses its memory.
		t.add("/metrics/values", "has a name that is not accepted: names begin with a letter or _ and have at most 64 letters, digits and _")
	case *kind.Required:
		for _, name := range k.Missing {
			t.add(Pointer(append(slices.Clone(path), name)), "is required")
		}
	case *kind.AdditionalProperties:
		t.unknown(path, k.Properties, t.schema.fields[err.SchemaURL])
	default:
		if len(err.Causes) == 0 {
			t.add(Pointer(path), ruleText(k))
		}
		for _, cause := range err.Causes {
			t.walk(cause)
		}
	}
}

// unknown adds an issue for each of the names that the object at path has but
// does not accept.
func (t *translation) unknown(path, names, accepted []string) {
	for _, name := range names {
		if at := Pointer(path); at == "/source" && (name == "url" || name == "ids") {
			continue // issues reports that both are present
		}
		if plain(name) {
			t.add(Pointer(append(slices.Clone(path), name)), "is not known here: accepted are "+strings.Join(accepted, ", ")+meant(name, accepted))
			continue
		}
		t.add(Pointer(path), fmt.Sprintf("has a field, its name %d bytes long, that is not known here: accepted are %s", len(name), strings.Join(accepted, ", ")))
	}
}

// meant says which of the accepted names was probably meant, or "".
func meant(name string, accepted []string) string {
	inSource := map[string]string{"ids": "[…]", "url": `"…"`}[name]
	if inSource != "" && slices.Contains(accepted, "source") {
		return fmt.Sprintf(`; write "source": {%q: %s}`, name, inSource)
	}
	if near := readable.Nearest(name, accepted); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// oneOf translates the errors of the alternative that was most likely meant: the
// one that has the type of the value and whose required fields are present.
func (t *translation) oneOf(err *jsonschema.ValidationError) {
	var fitting []*jsonschema.ValidationError
	var types, missing []string
	for _, branch := range err.Causes {
		wanted, lacks := mismatch(branch, len(err.InstanceLocation))
		types, missing = append(types, wanted...), append(missing, lacks...)
		if wanted == nil && lacks == nil {
			fitting = append(fitting, branch)
		}
	}
	switch {
	case len(fitting) > 0:
		t.walk(fitting[0])
	case len(missing) > 1:
		t.add(Pointer(err.InstanceLocation), "needs one of "+strings.Join(missing, ", "))
	case len(missing) == 1:
		t.add(Pointer(append(slices.Clone(err.InstanceLocation), missing[0])), "is required")
	default:
		t.add(Pointer(err.InstanceLocation), "must be "+oneOfTypes(types))
	}
}

// mismatch returns the types that a branch accepts instead of the value at depth,
// or the required fields that are missing there.
func mismatch(err *jsonschema.ValidationError, depth int) (types, missing []string) {
	if len(err.InstanceLocation) == depth {
		switch k := err.ErrorKind.(type) {
		case *kind.Type:
			return k.Want, nil
		case *kind.Required:
			return nil, k.Missing
		}
	}
	for _, cause := range err.Causes {
		t, m := mismatch(cause, depth)
		types, missing = append(types, t...), append(missing, m...)
	}
	return types, missing
}

// ruleText describes the rule that a value violates.
func ruleText(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return fmt.Sprintf("must be %s, not %s", oneOfTypes(k.Want), oneOfTypes([]string{k.Got}))
	case *kind.Enum:
		return "must be one of " + quoted(k.Want)
	case *kind.Format:
		return "must be a time as in RFC 3339, such as 2026-03-01T18:00:00Z"
	case *kind.Pattern:
		rule := patternRule(k.Want)
		if strings.Contains(rule, "segment/ID") {
			rule += meantTarget(k.Got)
		}
		return rule
	case *kind.Not:
		return `may not be "." or ".."`
	case *kind.MinLength:
		return fmt.Sprintf("has %d characters, at least %d are needed", k.Got, k.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("has %d characters, at most %d are accepted", k.Got, k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("has %d items, at least %d are needed", k.Got, k.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("has %d items, at most %d are accepted", k.Got, k.Want)
	case *kind.MinProperties:
		return fmt.Sprintf("has %d fields, at least %d are needed", k.Got, k.Want)
	case *kind.MaxProperties:
		return fmt.Sprintf("has %d fields, at most %d are accepted", k.Got, k.Want)
	case *kind.UniqueItems:
		return fmt.Sprintf("holds the same item twice, at %d and at %d", k.Duplicates[0], k.Duplicates[1])
	case *kind.Minimum:
		return "must be at least " + decimal(k.Want)
	case *kind.Maximum:
		return "must be at most " + decimal(k.Want)
	}
	return "breaks the rule " + strings.Join(k.KeywordPath(), "/") + " of its schema"
}

func decimal(r *big.Rat) string {
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// quoted lists values of a schema, never of a job.
func quoted(values []any) string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = fmt.Sprintf("%q", v)
	}
	return strings.Join(list, ", ")
}

// oneOfTypes lists the types, each once.
func oneOfTypes(types []string) string {
	var list []string
	for _, name := range types {
		switch name {
		case "null":
		case "object", "array", "integer":
			name = "an " + name
		default:
			name = "a " + name
		}
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return strings.Join(list, " or ")
}
