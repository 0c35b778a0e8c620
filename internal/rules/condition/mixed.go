package condition

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

// Mixed returns a fault for each && and || that are mixed without parentheses.
func (c *Condition) Mixed() []Fault {
	var faults []Fault
	open := []operand{{}}
	last := func() *operand { return &open[len(open)-1] }
	end := func(at int) {
		if last().isMixed() {
			faults = append(faults, c.mixedFault(*last(), at))
		}
		*last() = operand{start: at + 1}
	}
	quoted := false
	for at := 0; at < len(c.Text); at++ {
		switch sign := c.Text[at]; {
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
		case strings.HasPrefix(c.Text[at:], "||"):
			last().ors = append(last().ors, at)
			at++
		case strings.HasPrefix(c.Text[at:], "&&"):
			last().ands = append(last().ands, at)
			at++
		}
	}
	end(len(c.Text))
	return faults
}

// isMixed reports whether the operand has both && and ||.
func (o operand) isMixed() bool { return len(o.ors) > 0 && len(o.ands) > 0 }

// mixedFault returns the fault of a mixed operand, which ends at a place in the condition.
func (c *Condition) mixedFault(o operand, end int) Fault {
	second := max(o.ors[0], o.ands[0])
	before := c.Text[:second]
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
		part := strings.Join(strings.Fields(c.Text[from:to]), " ")
		for _, and := range o.ands {
			if from <= and && and < to {
				part = "(" + part + ")"
				break
			}
		}
		parts = append(parts, part)
	}
	return Fault{
		line + 1, column, "&& and || are mixed without parentheses, and && is read first",
		fmt.Sprintf("write %s, as it is read, or put the parentheses where you mean them", strings.Join(parts, " || ")),
	}
}
