package rtb_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/rtb"
)

const definition = ` {"code": "A-1", "new": {"of": [1.50, {"b":"ü<"}]} ,
  "biddingSettings" : {"biddingStrategy":{"maxBid": 2.50 ,"strategy":"CPM"}, "budget": {"daily": 1.0e2, "currency":"EUR"}},
  "creatives":[{"code":"c","status":"ACTIVE"}], "lastModificationTime":"2026-05-20T10:00:00.000"}`

func TestDefinitionKeepsEverythingElse(t *testing.T) {
	t.Parallel()
	d := rtb.Definition(definition)
	if d.Number(usher.BudgetField) != 100 || d.Number(usher.BidField) != 2.5 || d.Currency() != "EUR" {
		t.Errorf("numbers are %v and %v %s", d.Number(usher.BudgetField), d.Number(usher.BidField), d.Currency())
	}
	for field, from := range map[usher.BiddingField]string{usher.BudgetField: "1.0e2", usher.BidField: "2.50"} {
		changed, err := d.With("A-1", field, 79.99)
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.Replace(definition, from, "79.99", 1); string(changed) != want {
			t.Errorf("changed to\n%s\nnot\n%s", changed, want)
		}
		if d.Same(changed) || len(d.Differences(changed, field)) > 0 {
			t.Errorf("%v differ", d.Differences(changed, field))
		}
	}
}

func TestDefinitionWithoutCode(t *testing.T) {
	t.Parallel()
	d := rtb.Definition(strings.Replace(definition, `"code": "A-1", `, "", 1))
	changed, err := d.With("A-1", usher.BudgetField, 80)
	if err != nil || !strings.HasPrefix(strings.TrimSpace(string(changed)), `{"code":"A-1","new"`) {
		t.Errorf("changed to %s, %v", changed, err)
	}
}

func TestDefinitionWithoutNumber(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		``, `null`, `[]`, `{}`, `{"biddingSettings":null}`, `{"biddingSettings":{"budget":{"daily":null}}}`, `{"biddingSettings":{"budget":{"daily":"100"}}}`,
		`{"biddingSettings":{"budget":100}}`, `{"biddingSettings":{"budget":{"daily":1`,
	} {
		if v := rtb.Definition(text).Number(usher.BudgetField); !math.IsNaN(v) {
			t.Errorf("the budget of %q is %v", text, v)
		}
	}
	if _, err := rtb.Definition(`{}`).With("A-1", usher.BudgetField, 1); err == nil {
		t.Error("a definition without biddingSettings got a budget")
	}
}

func TestDefinitionDifferences(t *testing.T) {
	t.Parallel()
	d := rtb.Definition(definition)
	for _, c := range []struct {
		from, to string
		want     []string
	}{
		{"10:00:00", "11:00:00", nil},
		{"1.50", "1.5", nil},
		{`"code": "A-1", "new"`, `"new"`, []string{"/code"}},
		{"ACTIVE", "PENDING", []string{"/creatives/0/status"}},
		{`[1.50, `, `[`, []string{"/new/of"}},
		{`"of"`, `"a/~"`, []string{"/new/a~1~0", "/new/of"}},
		{`2.50`, `2.51`, []string{"/biddingSettings/biddingStrategy/maxBid"}},
		{`1.0e2`, `99`, nil},
		{`"EUR"`, `null`, []string{"/biddingSettings/budget/currency"}},
	} {
		got := d.Differences(rtb.Definition(strings.Replace(definition, c.from, c.to, 1)), usher.BudgetField)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s → %s differs in %v, not %v", c.from, c.to, got, c.want)
		}
	}
}
