package rules

import (
	"testing"

	"usher"
)

func TestAuditLine(t *testing.T) {
	t.Parallel()
	for want, a := range map[string]usher.Audit{
		"ann paused it: ACTIVE → INACTIVE":                       {Actor: "ann", Before: "ACTIVE", Wanted: "INACTIVE", After: "INACTIVE"},
		"rule stop (budgets) wanted it paused, but it is ACTIVE": {Actor: "rules/budgets", Rule: "stop", Before: "ACTIVE", Wanted: "INACTIVE", After: "ACTIVE"},
		"usher, for job newer, resumed it: INACTIVE → ACTIVE":    {Actor: "rules/budgets", Restores: "newer", Before: "INACTIVE", Wanted: "ACTIVE", After: "ACTIVE"},
		"somebody wanted it set to PENDING, but it is ACTIVE":    {Before: "ACTIVE", Wanted: "PENDING", After: "ACTIVE"},
	} {
		if got := auditLine(&a); got != want {
			t.Errorf("auditLine returns %q, want %q", got, want)
		}
	}
}
