package differential_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// targets is a table of targets. Patterns are a * and the end of a campaign's code.
type targets struct {
	path  string
	lines []targetLine
}

type targetLine struct {
	campaign string
	cells    []string // "": empty
}

// targetColumns are the columns of the table.
var targetColumns = []string{"near", "far"}

// targets draws a table for an account.
func (d *drawer) targets(a *account) *targets {
	t := &targets{}
	for range d.IntN(4) {
		line := targetLine{campaign: pick(d, a.campaigns[0], a.campaigns[1], "*-b", "*-c", "*")}
		for range targetColumns {
			line.cells = append(line.cells, pick(d, "", "0.5", "8", "40.00", "80"))
		}
		t.lines = append(t.lines, line)
	}
	return t
}

// of returns what the table has for a campaign.
func (t *targets) of(campaign, column string) bounds {
	for _, line := range t.lines {
		end, isPattern := strings.CutPrefix(line.campaign, "*")
		if campaign != line.campaign && (!isPattern || !strings.HasSuffix(campaign, end)) {
			continue
		}
		for n, name := range targetColumns {
			var v float64
			if _, err := fmt.Sscan(line.cells[n], &v); name == column && err == nil {
				return exactly(v)
			}
		}
		return nothing
	}
	return nothing
}

// write writes the table into a folder.
func (t *targets) write(dir, name string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "campaign,%s\n", strings.Join(targetColumns, ","))
	for _, line := range t.lines {
		fmt.Fprintf(&b, "%s,%s\n", line.campaign, strings.Join(line.cells, ","))
	}
	t.path = filepath.Join(dir, name+".csv")
	return os.WriteFile(t.path, []byte(b.String()), 0o600)
}
