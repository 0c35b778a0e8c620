package rules

import (
	"fmt"
	"strings"

	"cel.dev/cel-go/cel"
)

// conditionFault is an error in a condition and its place in the text.
type conditionFault struct {
	line, column  int // from 1 and from 0
	message, hint string
}

// syntaxFaults explains the first error of CEL's parser. The others are mostly
// consequences.
func syntaxFaults(source string, issues *cel.Issues) []conditionFault {
	first := issues.Errors()[0]
	message, _, _ := strings.Cut(strings.TrimPrefix(first.Message, "Syntax error: "), " expecting ")
	message = "it cannot be read here: " + message
	hint := "write a comparison such as grossMediaSpend >= 0.95 * budget"
	rest := textFrom(source, first.Location.Line(), first.Location.Column())
	word, _, _ := strings.Cut(strings.ToLower(rest), " ")
	switch {
	case strings.HasPrefix(rest, "="):
		message, hint = "a single = is not an operator", "write == for equal, >= for at least"
	case word == "and" || strings.HasPrefix(rest, "&"):
		message, hint = fmt.Sprintf("%q does not join conditions", word), "write &&"
	case word == "or" || strings.HasPrefix(rest, "|"):
		message, hint = fmt.Sprintf("%q does not join conditions", word), "write ||"
	case word == "not":
		message, hint = `"not" is not an operator`, "write !( … )"
	case strings.Contains(source, "%"):
		message, hint = "conditions have no percent signs", "write 95% as 0.95"
	}
	return []conditionFault{{first.Location.Line(), first.Location.Column(), message, hint}}
}

// textFrom returns the rest of a line from a column.
func textFrom(source string, line, column int) string {
	lines := strings.Split(source, "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	runes := []rune(lines[line-1])
	if column >= len(runes) {
		return ""
	}
	return string(runes[column:])
}

// typeFaults puts the errors of CEL's checker into plain words.
func typeFaults(issues *cel.Issues) []conditionFault {
	words := strings.NewReplacer(
		"'_?_:_'", "?:", "'_&&_'", "&&", "'_||_'", "||", "'!_'", "!", "'-_'", "-", "'_+_'", "+", "'_-_'", "-", "'_*_'", "*", "'_/_'", "/",
		"'_<_'", "<", "'_<=_'", "<=", "'_>_'", ">", "'_>=_'", ">=", "'_==_'", "==", "'_!=_'", "!=",
		"found no matching overload for", "there is no", "applied to", "of",
		"expected type 'bool' but found 'double'", "expected a comparison, found a number",
		"expected type 'double' but found 'bool'", "expected a number, found a comparison",
		"double", "number", "bool", "comparison",
	)
	var faults []conditionFault
	for _, issue := range issues.Errors() {
		faults = append(faults, conditionFault{
			issue.Location.Line(), issue.Location.Column(), words.Replace(issue.Message),
			"compare numbers (ctr < 0.001) and join comparisons (… && …)",
		})
	}
	return faults
}
