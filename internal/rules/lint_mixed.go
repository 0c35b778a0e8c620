package rules

import (
	"fmt"
	"strings"
)

// operand is a part of a condition between parentheses, or between the ? and : of a choice,
// in which && and || have the same operands.
type operand struct {
	start     int   // in the condition
	ors, ands []int // where || and && stand in it
}

// lintMixed finds && and || that are mixed without parentheses. key is pause_when or
// resume_when.
func (r *reader) lintMixed(key string, c *Condition) {
	open := []operand{{}}
	last := func() *operand { return &open[len(open)-1] }
	end := func(at int) {
		r.warnMixed(key, c, *last(), at)
		*last() = operand{start: at + 1}
	}
	quoted := false
	for at := 0; at < len(c.text); at++ {
		switch sign := c.text[at]; {
		case sign == '"':
			quoted = !quoted
		case quoted:
		case sign == '(':
			open = append(open, operand{start: at + 1})
		case sign == ')' && len(open) > 1:
			end(at)
			open = open[:len(open)-1]
		case sign == '?', sign == ':':
			end(at)
		case strings.HasPrefix(c.text[at:], "||"):
			last().ors = append(last().ors, at)
			at++
		case strings.HasPrefix(c.text[at:], "&&"):
			last().ands = append(last().ands, at)
			at++
		}
	}
	end(len(c.text))
}

// warnMixed adds a warning if an operand, which ends at a place in the condition, has both
// && and ||.
func (r *reader) warnMixed(key string, c *Condition, o operand, end int) {
	if len(o.ors) == 0 || len(o.ands) == 0 {
		return
	}
	second := max(o.ors[0], o.ands[0])
	before := c.text[:second]
	line := strings.Count(before, "\n")
	column := len([]rune(before[strings.LastIndexByte(before, '\n')+1:]))
	var parts []string
	for n := range len(o.ors) + 1 {
		from, to := o.start, end
		if n > 0 {
			from = o.ors[n-1] + len("||")
		}
		if n < len(o.ors) {
			to = o.ors[n]
		}
		part := strings.Join(strings.Fields(c.text[from:to]), " ")
		for _, and := range o.ands {
			if from <= and && and < to {
				part = "(" + part + ")"
				break
			}
		}
		parts = append(parts, part)
	}
	r.warnf(c.placeIn(line+1, column), fmt.Sprintf("write %s, as it is read, or put the parentheses where you mean them", strings.Join(parts, " || ")),
		"%s: && and || are mixed without parentheses, and && is read first", key)
}
