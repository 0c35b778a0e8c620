package inspect

import (
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
