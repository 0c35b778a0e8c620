package expression

import (
	"fmt"
	"math"
	"strings"

	"usher/internal/rules/figures"
	"usher/internal/rules/targets"
)

// TargetPrefix begins the names of targets in conditions, such as target.cpa.
const TargetPrefix = "target."

// targetKey identifies the rows of a table that the campaigns, or the campaigns of the creatives, have.
type targetKey struct {
	table *targets.Table
	level figures.Level
}

// targetRows returns the rows of a table by place; -1: none matches.
func (d *Data) targetRows(table *targets.Table, l figures.Level) []int32 {
	d.refresh()
	key := targetKey{table, l}
	if rows, known := d.targets[key]; known {
		return rows
	}
	rows := make([]int32, d.figures.Len(l))
	if l == figures.CampaignLevel {
		for at, campaign := range d.figures.Campaigns() {
			rows[at] = int32(table.Row(campaign))
		}
	} else {
		of := map[string]int32{}
		for at, campaign := range d.figures.Creatives() {
			row, known := of[campaign]
			if !known {
				row = int32(table.Row(campaign))
				of[campaign] = row
			}
			rows[at] = row
		}
	}
	if d.targets == nil {
		d.targets = map[targetKey][]int32{}
	}
	d.targets[key] = rows
	return rows
}

// target returns a column of the table of targets for the block.
func (e *Evaluation) target(x *Expression, n int) values {
	if e.Targets == nil {
		return e.fill(n, math.NaN())
	}
	out, numbers := e.register(n), e.Targets.Numbers(strings.TrimPrefix(x.Name, TargetPrefix))
	for i, row := range e.data.targetRows(e.Targets, e.Level)[e.low:e.high] {
		out.low[i] = math.NaN()
		if row >= 0 {
			out.low[i] = numbers[row]
		}
	}
	return out
}

// targetNote says which target the campaign has, as the table writes it.
func (e Explainer) targetNote(x *Expression) string {
	text, _ := e.targetCell(x)
	if text == "" {
		return ""
	}
	return fmt.Sprintf("%s %s from %s", x.Name, text, e.evaluation.Targets.Name)
}

// targetGap says why the campaign has no target.
func (e Explainer) targetGap(x *Expression) string {
	if _, line := e.targetCell(x); line > 0 {
		return fmt.Sprintf("%s is empty in line %d of %s", x.Name, line, e.evaluation.Targets.Name)
	}
	return fmt.Sprintf("%s has no row for the campaign", e.evaluation.Targets.Name)
}

// targetCell returns the cell of a target and its line; 0: no row matches.
func (e Explainer) targetCell(x *Expression) (text string, line int) {
	table := e.evaluation.Targets
	if e.at < 0 || table == nil {
		return "", 0
	}
	row := e.evaluation.data.targetRows(table, e.evaluation.Level)[e.at]
	if row < 0 {
		return "", 0
	}
	return table.Cell(int(row), strings.TrimPrefix(x.Name, TargetPrefix))
}

// eachTarget calls visit with the targets in an expression.
func eachTarget(x *Expression, visit func(x *Expression)) {
	if x.Op == Target {
		visit(x)
	}
	for _, arg := range x.Args {
		eachTarget(arg, visit)
	}
}
