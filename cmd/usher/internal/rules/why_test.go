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

func TestOtherChanges(t *testing.T) {
	t.Parallel()
	const before = `{"name":"a","lastModificationTime":1,"biddingSettings":{"budget":{"daily":100}}}`
	for after, want := range map[string]string{
		`{"name":"a","lastModificationTime":2,"biddingSettings":{"budget":{"daily":80}}}`: "nothing else of the campaign changed",
		`{"name":"b","lastModificationTime":2,"biddingSettings":{"budget":{"daily":80}}}`: "also different in the campaign: /name; --json prints it before and after",
	} {
		a := usher.Audit{
			Bidding:     &usher.BiddingChange{Field: usher.BudgetField},
			Definitions: &usher.Definitions{Before: []byte(before), After: []byte(after)},
		}
		if got := otherChanges(&a); got != want {
			t.Errorf("otherChanges returns %q, want %q", got, want)
		}
	}
}
