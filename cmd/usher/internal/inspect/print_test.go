package inspect

import (
	"encoding/json"
	"strings"
	"testing"

	"usher"
	"usher/internal/inspection"
)

func TestReportHasWarnings(t *testing.T) {
	t.Parallel()
	report := inspection.Report{
		Understood: &usher.Understood{Format: "csv", Encoding: "utf-8", Compression: "none", Delimiter: ",", Quote: "double", Escape: "double", Header: true, Column: usher.UnderstoodColumn{Name: "gaid", Number: 2, Why: "the job names it"}, Files: 1},
		Warnings:   []usher.Warning{{Code: "lower_case", Description: "the values look like AAIDs: set source.typeColumn to 3 (os)", Count: 7}},
		Verdict:    "the export has no rows",
	}
	var out strings.Builder
	if err := writeReport(&out, &report); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"warning lower_case (7 times): the values look like AAIDs: use --type-column 3 (os)\n", `column 2, "gaid": the job names it`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, out.String())
		}
	}
}

// The report of an export whose ids look like those of two systems, and that has no column that
// says so, warns of this where the command is.
func TestReportOfUnmarkedMix(t *testing.T) {
	t.Parallel()
	const line = "75 of 200 ids in a sample look like Android ids: split the export first, because the command below uploads them in the wrong form\n"
	for _, mixed := range []bool{true, false} {
		report := inspection.Report{
			Understood: &usher.Understood{Format: "csv"}, Profile: usher.Profile{Type: usher.IDFA}, Input: usher.InputRaw,
			Warnings: []usher.Warning{{Code: "letter_case", Description: "lower", Count: 75}},
			Tally:    usher.Tally{Read: 200, Accepted: 200}, Submit: "usher submit",
		}
		types := `[{"type":"idfa","rows":125},{"type":"aaid","rows":75}]`
		if !mixed {
			types = `[{"type":"aaid","rows":75}]`
		}
		if err := json.Unmarshal([]byte(types), &report.Types); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := writeReport(&out, &report); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), line) != mixed || strings.Contains(out.String(), "letter_case") == mixed {
			t.Errorf("with a mix, %v, the report is\n%s", mixed, &out)
		}
	}
}
