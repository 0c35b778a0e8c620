package targets_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"usher/internal/rules/targets"
)

// TestTable checks which row a campaign has.
func TestTable(t *testing.T) {
	t.Parallel()
	table, faults := targets.Parse("t.csv", []byte("\ufeffcampaign,cpa, note \r\nA-ios-1,12.50,mine\r\nA-ios-*,9,\r\n\r\nA-*,,\"x, y\"\r\n"))
	if table == nil || len(faults) > 0 {
		t.Fatal(faults)
	}
	for campaign, row := range map[string]int{"A-ios-1": 0, "A-ios-2": 1, "A-x": 2, "B-x": -1} {
		if found := table.Row(campaign); found != row {
			t.Errorf("%s has row %d, want %d", campaign, found, row)
		}
	}
	if n := table.Numbers("cpa"); n[0] != 12.5 || n[1] != 9 || !math.IsNaN(n[2]) {
		t.Errorf("the column is %v", n)
	}
	if text, line := table.Cell(0, "cpa"); text != "12.50" || line != 2 {
		t.Errorf("the cell is %q in line %d", text, line)
	}
	if faults := table.Check("note"); len(faults) != 2 || faults[0].Line != 2 || faults[1].Line != 5 {
		t.Errorf("faults of a column of texts: %v", faults)
	}
}

// TestFaults checks what is wrong with tables of strangers.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, table string
		line        int
		message     string
	}{
		{"empty", "", 1, "the table is empty"},
		{"another first column", "Campaign,cpa\nA-x,1\n", 1, `the first column is "Campaign"`},
		{"duplicate column", "campaign,cpa,cpa\nA-x,1,2\n", 1, `there are two columns "cpa"`},
		{"decimal comma", "campaign,cpa\nA-x,12,50\n", 2, "the line has 3 cells, and the header 2"},
		{"a short line", "campaign,cpa,cpc\n\nA-x,12\n", 3, "the line has 2 cells, and the header 3"},
		{"a name", "campaign,cpa\nMy campaign,12\n", 2, `"My campaign" is no pattern of campaign codes: they have letters, digits and hyphens`},
		{"a bad pattern", "campaign,cpa\nA-[,12\n", 2, `"A-[" is no pattern of campaign codes: they have letters, digits and hyphens`},
		{"no campaign", "campaign,cpa\n,12\n", 2, "the line has no campaign"},
		{"an open quote", "campaign,cpa\nA-x,\"12\n", 2, `the line is not CSV: extraneous or missing " in quoted-field`},
		{"not UTF-8", "campaign,cpa\nA-x,\xff\n", 1, "the table is not UTF-8"},
		{"large", "campaign,cpa\n" + strings.Repeat("A-x,1\n", targets.MaxBytes/6), 1, "the table has more than 262144 bytes"},
		{"many rows", "campaign,cpa\n" + manyRows(targets.MaxRows+1), 1, "the table has more than 5000 rows"},
		{"many columns", "campaign" + strings.Repeat(",", targets.MaxColumns) + "\n", 1, "the table has 51 columns; 50 are allowed"},
		{"a row that is never read", "campaign;cpa\n*;12\nA-x;3\n", 3, `the line is never read: "*" in line 2 matches first`},
		{"a pattern that is never read", "campaign\tcpa\nA-*\t12\nA-b*?\t3\n", 3, `the line is never read: "A-*" in line 2 matches first`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			table, faults := targets.Parse("t.csv", []byte(c.table))
			if len(faults) != 1 || faults[0].Line != c.line || faults[0].Message != c.message || faults[0].Hint == "" {
				t.Errorf("faults are %+v", faults)
			}
			if len(faults) == 1 && faults[0].Warning != (table != nil) {
				t.Errorf("the table is %v", table)
			}
		})
	}
	if _, faults := targets.Parse("t.csv", []byte("campaign,cpa\nA-?,1\nA-*,2\n")); len(faults) > 0 {
		t.Errorf("a pattern that matches more than one before it is refused: %v", faults)
	}
}

func manyRows(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "A-%d,1\n", i)
	}
	return text.String()
}

// FuzzTable checks that what a stranger writes is read or refused, and that numbers are finite.
func FuzzTable(f *testing.F) {
	f.Add("campaign,cpa\nA-x,12.5\nA-*,inf\n")
	f.Add("campaign;cpa\n\"A-x\";1e400\n")
	f.Fuzz(func(t *testing.T, text string) {
		table, faults := targets.Parse("t.csv", []byte(text))
		if table == nil {
			if len(faults) == 0 {
				t.Error("a table is refused without a reason")
			}
			return
		}
		for _, column := range table.Columns() {
			for _, n := range table.Numbers(column) {
				if math.IsInf(n, 0) {
					t.Error("a number is infinite")
				}
			}
		}
		table.Row("A-x")
	})
}
