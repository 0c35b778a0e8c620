package rtb

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// pair is a key and its value in a YAML mapping whose order is kept. A value is
// a string, bool, int, []string, []any or mapping.
type pair struct {
	key   string
	value any
}

type mapping []pair

// with returns the mapping with another pair.
func (m mapping) with(key string, value any) mapping { return append(m, pair{key, value}) }

// writeYAML writes a mapping as block YAML, lists of scalars on one line.
func writeYAML(b *strings.Builder, m mapping, indent int) {
	for _, p := range m {
		fmt.Fprintf(b, "%s%s:", strings.Repeat("  ", indent), scalar(p.key))
		writeValue(b, p.value, indent)
	}
}

func writeValue(b *strings.Builder, value any, indent int) {
	switch v := value.(type) {
	case mapping:
		if len(v) == 0 {
			b.WriteString(" {}\n")
			return
		}
		b.WriteString("\n")
		writeYAML(b, v, indent+1)
	case []mapping:
		b.WriteString("\n")
		for _, item := range v {
			var inner strings.Builder
			writeYAML(&inner, item, indent+2)
			text := inner.String()
			b.WriteString(strings.Repeat("  ", indent+1) + "- " + text[2*(indent+2):])
		}
	case []string:
		var texts []string
		for _, text := range v {
			texts = append(texts, scalar(text))
		}
		b.WriteString(" [" + strings.Join(texts, ", ") + "]\n")
	case string:
		b.WriteString(" " + scalar(v) + "\n")
	default:
		fmt.Fprintf(b, " %v\n", v)
	}
}

// plain is what YAML reads as the string that it looks like. It is compiled once.
var plain = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9_./{}' ;-]*$`)

// scalar quotes a string where it must be.
func scalar(text string) string {
	switch strings.ToLower(text) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
	default:
		if plain.MatchString(text) && !strings.HasSuffix(text, " ") {
			return text
		}
	}
	return strconv.Quote(text) // read by YAML alike: the table's texts are plain
}
