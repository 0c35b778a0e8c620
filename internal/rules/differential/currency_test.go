package differential_test

import "slices"

// mixed is the unit of a sum of an amount and a number that is none.
const mixed = 99

// unit returns the power of the currency in a number: 1 is an amount, 0 a plain number.
func (x *expr) unit() int {
	switch {
	case x.op == "number", x.whose == "rank", x.whose == "count", x.whose == "target":
		return 0
	case x.op == "metric":
		if slices.Contains([]string{"grossMediaSpend", "budget", "cpc", "ecpm", "monthEndSpend", "spendRate", "projectedSpend", "lifetimeBudget"}, x.metric) {
			return 1
		}
		return 0
	}
	a, b := x.args[0].unit(), x.args[1].unit()
	switch {
	case a == mixed || b == mixed:
		return mixed
	case x.op == "*":
		return a + b
	case x.op == "/":
		return a - b
	case a != b:
		return mixed
	}
	return a
}

// dependsOnCurrency reports whether a comparison depends on which currency amounts have:
// it compares an amount with a plain number.
func (x *expr) dependsOnCurrency() bool {
	a, b := x.args[0].unit(), x.args[1].unit()
	return a != b || a == mixed
}

// hasSeveralCurrencies reports whether the campaigns in the rule's scope have several
// currencies in the windows whose amounts the rule's conditions read.
func (s *scene) hasSeveralCurrencies() bool {
	found := map[string]bool{}
	for _, campaign := range s.run.account.campaigns {
		if s.run.only != "" && campaign != s.run.only {
			continue // the run of an event is about its campaign alone
		}
		if s.run.covers(s.rule, campaign) && (s.readsAmounts(campaign, s.rule.pause) || s.readsAmounts(campaign, s.rule.resume)) {
			found[s.run.account.currency[campaign]] = true
		}
	}
	return len(found) > 1
}

// readsAmounts reports whether a condition reads amounts of rows that a campaign, or one of
// its creatives, has.
func (s *scene) readsAmounts(campaign string, x *expr) bool {
	if x == nil {
		return false
	}
	if x.op != "metric" {
		return slices.ContainsFunc(x.args, func(arg *expr) bool { return s.readsAmounts(campaign, arg) })
	}
	isOfMoney := x.unit() != 0 || slices.Contains([]string{"budgetUsed", "pacing", "lifetimeUsed"}, x.metric)
	if !isOfMoney || x.whose == "account" || x.whose == "rank" {
		return false
	}
	window, entities := s.window, []string{campaign}
	if s.rule.creativeLevel && x.whose != "campaign" {
		entities = s.run.account.creatives[campaign]
	}
	switch {
	case x.metric == "monthEndSpend":
		window = span{kind: "month"}
	case x.metric == "lifetimeUsed":
		window = span{kind: "lifetime"}
	case x.whose == "over":
		window = x.over
	}
	from, to := window.daysOf(s.day)
	if x.whose == "previous" {
		from, to = from-(to-from+1), to-(to-from+1)
	}
	return slices.ContainsFunc(entities, func(entity string) bool {
		return s.run.sumOf(s.reportOf(entity, window), from, to).rows > 0
	})
}

// haveOneCurrency reports whether campaigns have the same currency.
func (s *scene) haveOneCurrency(campaigns []string) bool {
	return !slices.ContainsFunc(campaigns, func(campaign string) bool {
		return s.run.account.currency[campaign] != s.run.account.currency[campaigns[0]]
	})
}

// inOneCurrency returns the sum of campaigns without amounts if these are of several
// currencies.
func (s *scene) inOneCurrency(total sum, campaigns []string) sum {
	if !s.haveOneCurrency(campaigns) {
		for _, amount := range []string{"grossMediaSpend", "budget", "lifetimeBudget", "budgetDue"} {
			total.fields[amount], total.open[amount] = unknown, true
		}
	}
	return total
}
