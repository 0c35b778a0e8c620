package rules_test

import "testing"

// onStop returns a change of the first condition, which begins in 7:17 and reads
// campaigns.
func onStop(condition string, want ...string) mistake {
	return mistake{"grossMediaSpend >= 1.05 * budget", condition, want}
}

// onWeak returns a change of the second condition, which begins in 14:17 and reads
// creatives.
func onWeak(condition string, want ...string) mistake {
	return mistake{"ctr < 0.0005", condition, want}
}

// TestConstantConditions checks conditions that always or never hold.
func TestConstantConditions(t *testing.T) {
	testMistakes(t, map[string]mistake{
		"ctr < 1":              onWeak("ctr < 1", "14:17: warning: pause_when: ctr < 1 always holds: ctr is a fraction, and 1 means 100 % | write 0.01 for 1 %"),
		"ctr < 0.5":            onWeak("ctr < 0.5", "14:17: warning: pause_when: ctr < 0.5 practically always holds: ctr is a fraction, and 0.5 means 50 % | write 0.005 for 0.5 %"),
		"ctr < 0.05":           onWeak("ctr < 0.05", "14:17: warning: pause_when: ctr < 0.05 practically always holds: ctr is a fraction, and 0.05 means 5 % | write 0.0005 for 0.05 %"),
		"divided by 0":         onWeak("ctr < 0.0005 && clicks / 0 > 5", "14:33: warning: pause_when: clicks / 0 > 5 is always unknown: it divides by 0 | divide by a number"),
		"ctr < 0.03":           onWeak("ctr < 0.03"),
		"ctr > 2":              onWeak("ctr > 2", "14:17: warning: pause_when: ctr > 2 never holds: ctr is a fraction, and 2 means 200 % | write 0.02 for 2 %"),
		"1 > ctr":              onWeak("1 > ctr", "14:17: warning: pause_when: 1 > ctr always holds: ctr is a fraction, and 1 means 100 % | write 0.01 for 1 %"),
		"own ctr":              onWeak("clicks / impressions < 1", "14:17: warning: pause_when: clicks / impressions < 1 always holds: clicks / impressions is a fraction, and 1 means 100 % | write 0.01"),
		"multiplied":           onWeak("clicks < 1 * impressions", "14:17: warning: pause_when: clicks < 1 * impressions always holds | 0.01"),
		"in percent":           onWeak("ctr * 100 < 1"),
		"a part":               onWeak("impressions > 9000 && ctr < 1", "14:39: warning: pause_when: ctr < 1 always holds | 0.01"),
		"engagementRate":       onWeak("engagementRate < 5", "14:17: warning: pause_when: engagementRate < 5 practically always holds: engagementRate is a fraction, and 5 means 500 % | write 0.05 for 5 %"),
		"click fraud":          onWeak("ctr > 0.3"),
		"bound of ctr":         onWeak("ctr_upper95 < 0.0005"),
		"bound in percent":     onWeak("ctr_upper95 < 1", "14:17: warning: pause_when: ctr_upper95 < 1 always holds: ctr_upper95 is a fraction, and 1 means 100 % | write 0.01 for 1 %"),
		"budgetUsed":           onStop("budgetUsed >= 95", "7:17: warning: pause_when: budgetUsed >= 95 practically never holds: it means 95 times the budget | write 0.95 for 95 %"),
		"95 * budget":          onStop("grossMediaSpend >= 95 * budget", "7:17: warning: pause_when: grossMediaSpend >= 95 * budget practically never holds: it means 95 times the budget | write 0.95 for 95 %"),
		"lifetimeUsed":         onStop("lifetimeUsed > 90", "7:17: warning: pause_when: lifetimeUsed > 90 practically never holds: it means 90 times the budget | write 0.9 for 90 %"),
		"projected":            onStop("projectedSpend > 95 * budget", "6:5: warning: projectedSpend is only the spend with window: yesterday | write window: today", "7:17: warning: pause_when: projectedSpend > 95 * budget practically never holds: it means 95 times the budget | write 0.95 for 95 %"),
		"impressions >= 0":     onStop("impressions >= 0", "7:17: warning: pause_when: impressions >= 0 always holds | compare with a number"),
		"impressions < 0":      onStop("impressions < 0", "7:17: warning: pause_when: impressions < 0 never holds | compare with a number"),
		"clicks > impressions": onWeak("clicks > impressions", "14:17: warning: pause_when: clicks > impressions never holds | compare with a number"),
		"net > gross":          onStop("netMediaSpend > grossMediaSpend", "7:17: warning: pause_when: netMediaSpend > grossMediaSpend never holds | compare with a number"),
		"an empty range":       onStop("impressions > 1000 && impressions < 500", "7:17: warning: pause_when: impressions > 1000 && impressions < 500 never holds | compare with a number"),
		"a full range":         onStop("clicks > 5 || clicks < 10", "7:17: warning: pause_when: clicks > 5 || clicks < 10 always holds | compare with a number"),
		"by another metric":    onStop("budgetUsed > 1.1 && grossMediaSpend < budget", "7:17: warning: pause_when: budgetUsed > 1.1 && grossMediaSpend < budget never holds | compare with a number"),
		"in a choice":          onStop("'(clicks > 5 ? won < 0 : won > 9)'", "7:32: warning: pause_when: won < 0 never holds | compare with a number"),
		"negated":              onStop("'!(won >= 0)'", "7:20: warning: pause_when: won >= 0 always holds | compare with a number"),
		"sums":                 onStop("won + clicks >= 0", "7:17: warning: pause_when: won + clicks >= 0 always holds | compare with a number"),
		"products":             onStop("won * clicks < 0", "7:17: warning: pause_when: won * clicks < 0 never holds | compare with a number"),
		"differences":          onStop("bidsPlaced - 2 * won < 0 && won + 5 * clicks < 9 && won * won - clicks > 5"),
		"an open range":        onStop("impressions > 1000 && impressions <= 1001"),
		"pacing in the night":  onStop("pacing > 20"),
		"spend of a cent":      onStop("grossMediaSpend >= 0.95", "7:17: warning: pause_when: grossMediaSpend >= 0.95 compares an amount with less than 1 | write 0.95 * budget"),
		"a margin as fraction": onStop("mediaMargin > 0.2", "7:17: warning: pause_when: mediaMargin > 0.2 compares a percentage with a fraction | write 20 for 20 %"),
		"1.000":                onStop("impressions >= 1.000", "7:32: warning: pause_when: 1.000 is the number 1 | write 1000 if the point separates thousands"),
		"1.000 as a factor":    onStop("grossMediaSpend >= 1.050 * budget"),
		"equal":                onStop("budgetUsed == 1", "7:17: warning: pause_when: budgetUsed == 1 hardly ever holds: it compares every digit | write >= or <="),
		"equal to 0":           onStop("grossMediaSpend == 0"),
	})
}

// TestMisleadingConditions checks conditions that say something else than the rule
// around them.
func TestMisleadingConditions(t *testing.T) {
	const resume = "    resume_when: "
	stopAnd := func(key string, want ...string) mistake {
		return mistake{"    schedule: \"0 7 * * *\"\n    limits", key + "\n    schedule: \"0 7 * * *\"\n    limits", want}
	}
	weakAnd := func(condition, key string, want ...string) mistake {
		return mistake{"ctr < 0.0005\n", condition + "\n    " + key + "\n", want}
	}
	testMistakes(t, map[string]mistake{
		"no install at all":       onStop("grossMediaSpend / outcome.installs > 6", "7:17: warning: pause_when: grossMediaSpend / outcome.installs > 6 does not stop what has no installs: the ratio is unknown then | write grossMediaSpend > N && grossMediaSpend > 6 * outcome.installs, where N is"),
		"no install, the other":   onStop("clicks > 9 && 3 + 3 <= grossMediaSpend / outcome.installs", "7:31: warning: pause_when: 3 + 3 <= grossMediaSpend / outcome.installs does not stop what has no installs: the ratio is unknown then | write grossMediaSpend > N && (3 + 3) * outcome.installs <= grossMediaSpend"),
		"enough installs":         {"    pause_when: grossMediaSpend >= 1.05 * budget", "    min_data: {outcome.installs: 20}\n    pause_when: grossMediaSpend / outcome.installs > 6", nil},
		"installs by product":     onStop("grossMediaSpend > 6 * outcome.installs", "7:17: warning: pause_when: grossMediaSpend > 6 * outcome.installs holds from the first cent if there is no installs yet | write grossMediaSpend > N && grossMediaSpend > 6 * outcome.installs"),
		"installs after a spend":  onStop("grossMediaSpend > 60 && grossMediaSpend > 6 * outcome.installs"),
		"more than no revenue":    onStop("2 * grossMediaSpend >= outcome.revenue", "7:17: warning: pause_when: 2 * grossMediaSpend >= outcome.revenue holds from the first cent | write 2 * grossMediaSpend > N && "),
		"enough revenue":          onStop("clicks > 50 && outcome.revenue > 3 * grossMediaSpend"),
		"late installs":           {"yesterday\n    pause_when: grossMediaSpend >= 1.05 * budget", "last 7 days\n    min_days: 6\n    pause_when: grossMediaSpend > 60 && grossMediaSpend > 6 * outcome.installs", []string{`7:5: warning: pause_when: grossMediaSpend is of 7 days, and outcome.installs may be of 6 | window: last 8 days, min_days: 7, and grossMediaSpend - over("yesterday").grossMediaSpend`}},
		"two days late":           {"yesterday\n    pause_when: grossMediaSpend >= 1.05 * budget", "last 7 days\n    min_days: 5\n    pause_when: grossMediaSpend > 60 && grossMediaSpend > 6 * outcome.installs", []string{`7:5: warning: pause_when: grossMediaSpend is of 7 days, and outcome.installs may be of 5 | window: last 9 days, min_days: 7, and grossMediaSpend - over("last 2 days").grossMediaSpend`}},
		"late revenue, a raise":   {"yesterday\n    pause_when: grossMediaSpend >= 1.05 * budget", "last 7 days\n    min_days: 5\n    increase_when: outcome.revenue > 2 * grossMediaSpend\n    budget: {increase: 10%, max: 500}", []string{`7:5: warning: increase_when: grossMediaSpend is of 7 days, and outcome.revenue may be of 5 | window: last 9 days, min_days: 7`}},
		"like for like":           {"yesterday\n    pause_when: grossMediaSpend >= 1.05 * budget", "last 8 days\n    min_days: 7\n    pause_when: grossMediaSpend > 60 && grossMediaSpend - over(\"yesterday\").grossMediaSpend > 6 * outcome.installs", nil},
		"like for like, all days": {"yesterday\n    pause_when: grossMediaSpend >= 1.05 * budget", "last 8 days\n    pause_when: grossMediaSpend > 60 && grossMediaSpend - over(\"yesterday\").grossMediaSpend > 6 * outcome.installs", []string{`6:5: warning: pause_when: grossMediaSpend is of 7 days, and outcome.installs may be of 8 | window: last 8 days, min_days: 7`}},
		"no install is another":   onStop("(outcome.installs < 1 && clicks > 99) || grossMediaSpend / outcome.installs > 6"),
		"few for their price":     onStop("outcome.revenue / outcome.installs < 6"),
		"lifetimeBudget on a day": onStop("grossMediaSpend >= 0.95 * lifetimeBudget", "7:17: warning: pause_when: grossMediaSpend >= 0.95 * lifetimeBudget compares the spend of yesterday with the budget of all days | write lifetimeUsed"),
		"lifetimeUsed":            onStop("lifetimeUsed >= 0.95"),
		"the rest of the budget":  onStop("budgetUsed < 0.95", "7:17: warning: pause_when: budgetUsed < 0.95 pauses what has spent little | write budgetUsed > 0.95"),
		"swapped":                 onStop("budget >= 0.95 * grossMediaSpend", "7:17: warning: pause_when: budget >= 0.95 * grossMediaSpend pauses what has spent little | write budget <= 0.95 * grossMediaSpend"),
		"the best":                onWeak("ctr > 0.0005", "14:17: warning: pause_when: ctr > 0.0005 pauses the creatives that are clicked most | write ctr < 0.0005"),
		"the cheapest":            {"{impressions: 5000}\n    pause_when: ctr < 0.0005", "{clicks: 20}\n    pause_when: cpc < 2", []string{"14:17: warning: pause_when: cpc < 2 pauses the cheapest | write cpc > 2"}},
		"no margin":               onWeak("ctr < previous.ctr", "14:17: warning: pause_when: ctr < previous.ctr holds by chance half of the time | such as ctr < 0.7 * previous.ctr"),
		"a margin":                onWeak("ctr < 0.7 * previous.ctr"),
		"few clicks of whatever":  {"    min_data: {impressions: 5000}\n    pause_when: ctr < 0.0005", "    pause_when: clicks < 3", []string{"13:17: warning: pause_when: clicks < 3 also holds for a creative that has hardly been shown | write min_data: {impressions: 5000}"}},
		"few clicks of many":      onWeak("clicks < 3"),
		"few clicks and many":     {"    min_data: {impressions: 5000}\n    pause_when: ctr < 0.0005", "    pause_when: clicks < 3 && impressions > 5000", nil},
		"keep_active":             {`exclude: ["*-loyalty"]}`, `keep_active: 1}`, []string{"7:17: warning: pause_when: grossMediaSpend >= 1.05 * budget does not stop the budget: with keep_active: 1, 1 creative of each campaign goes on to spend | remove keep_active"}},
		"keep_active, percent":    {"exclude: [\"*-loyalty\"]}\n    window: yesterday\n    pause_when: grossMediaSpend >= 1.05 * budget", "keep_active: 1}\n    window: yesterday\n    pause_when: budgetUsed >= 95", []string{"7:17: warning: pause_when: budgetUsed >= 95 practically never holds | 0.95", "7:17: warning: pause_when: budgetUsed >= 95 does not stop the budget | remove keep_active"}},
		"ratio of a campaign":     {"pause_when: grossMediaSpend >= 1.05 * budget", "min_data: {impressions: 5000}\n    pause_when: ctr < 0.0005", []string{"8:17: warning: pause_when: ctr < 0.0005 is the campaign's, and pauses all of its creatives, the good ones, too | write level: creative"}},
		"resume by a ratio":       weakAnd("ctr < 0.0005", "resume_when: ctr > 0.001", "15:18: warning: resume_when: ctr > 0.001 hardly ever holds after a pause: a paused creative gets no impressions | remove resume_when"),
		"overlap":                 stopAnd(resume+"grossMediaSpend < 1.1 * budget", "8:18: error: pause_when and resume_when overlap: with grossMediaSpend 105, budget 100 both hold | gap"),
		"overlap by a metric":     stopAnd(resume+"budgetUsed < 1.1", "8:18: error: pause_when and resume_when overlap: with grossMediaSpend 105, budget 100 both hold | gap"),
		"overlap by fields":       weakAnd("ctr < 0.0005 && clicks > 2", "resume_when: clicks > 0.0001 * impressions && clicks > 5", "15:18: warning: resume_when: clicks > 0.0001 * impressions hardly ever holds after a pause | remove resume_when", "15:18: error: pause_when and resume_when overlap: with clicks | gap"),
		"no overlap by fields":    stopAnd(resume + "grossMediaSpend < 0.9 * budget && clicks > 5"),
		"overlap by others":       stopAnd(resume+"clicks > 5", "8:18: warning: pause_when and resume_when can hold at once: with grossMediaSpend 110.25, clicks 5.25, budget 100 the pause wins | gap"),
		"no gap":                  stopAnd(resume+"grossMediaSpend < 1.05 * budget", "8:18: warning: there is no gap between pause_when and resume_when | gap"),
		"no gap by a metric":      stopAnd(resume+"budgetUsed < 1.05", "8:18: warning: there is no gap between pause_when and resume_when | gap"),
		"no gap by a part":        stopAnd(resume+"budgetUsed < 1.05 && clicks > 5", "8:18: warning: there is no gap between pause_when and resume_when | gap"),
		"whole numbers have gaps": {"grossMediaSpend >= 1.05 * budget", "clicks >= 9\n" + resume + "clicks == 0", nil},
		"together they pause all": {"    pause_when: ctr < 0.0005\n    schedule: \"0 7 * * *\"\n", "    pause_when: ctr < 0.0005\n    schedule: \"0 7 * * *\"\n  - name: rest\n    scope: {campaigns: [\"SANDBOX1-a*\"], level: creative}\n    window: last 7 days\n    min_data: {impressions: 5000}\n    pause_when: 100 * clicks >= 0.05 * impressions || clicks > 90\n    schedule: \"0 7 * * *\"\n", []string{"20:17: warning: pause_when: the rules weak and rest together pause every creative that both read | leave figures with which neither pauses"}},
		"one pauses, both resume": stopAnd(resume+"grossMediaSpend < 0.1 * budget\n    max_report_age: 48h", nil...),
		"resumes what is dear":    {"    schedule: \"0 7 * * *\"\n    limits: {max_share: 20%}\n", resume + "grossMediaSpend < 0.9 * budget\n    schedule: \"0 7 * * *\"\n    limits: {max_share: 20%}\n  - name: much\n    scope: {campaigns: [\"SANDBOX1-*\"]}\n    window: yesterday\n    pause_when: grossMediaSpend > 500\n    schedule: \"0 7 * * *\"\n    limits: {max_share: 20%}\n", []string{"8:18: warning: resume_when: with grossMediaSpend | never hold at once"}},
		"resumed, wanted paused":  {"    schedule: \"0 7 * * *\"\n    limits: {max_share: 20%}\n", resume + "budgetUsed < 0.5\n    schedule: \"0 7 * * *\"\n    limits: {max_share: 20%}\n  - name: thrift\n    scope: {campaigns: [\"SANDBOX1-*\"]}\n    window: yesterday\n    pause_when: grossMediaSpend < 0.6 * budget\n    schedule: \"0 7 * * *\"\n    limits: {max_share: 20%}\n", []string{"8:18: warning: resume_when: rule thrift wants paused whatever this resumes, so nothing is resumed | ", "14:17: warning: pause_when: grossMediaSpend < 0.6 * budget pauses what has spent little | "}},
	})
}

// TestRightRulesHaveNoAdvice checks that check gives no advice that would make a right rule worse.
func TestRightRulesHaveNoAdvice(t *testing.T) {
	const stop = "scope: {campaigns: [\"SANDBOX1-*\"], exclude: [\"*-loyalty\"]}\n    window: yesterday\n    pause_when: grossMediaSpend >= 1.05 * budget\n    schedule: \"0 7 * * *\"\n    limits: {max_share: 20%}\n"
	rule := func(text string, want ...string) mistake { return mistake{stop, text, want} }
	const all = "scope: {campaigns: [\"*\"]}\n    schedule: \"0 7 * * *\"\n"
	testMistakes(t, map[string]mistake{
		"an account cap":            rule(all + "    window: this month\n    pause_when: account.grossMediaSpend >= 2000\n"),
		"an account cap, no resume": rule(all + "    window: this month\n    pause_when: account.grossMediaSpend >= 2000\n    resume_when: account.grossMediaSpend < 1500\n"),
		"a cap that is held":        rule(all+"    window: this month\n    pause_when: account.grossMediaSpend >= 2000\n    limits: {max_share: 20%}\n", "9:5: warning: max_share: 20% holds every change of the rule | remove max_share"),
		"a cap of each campaign":    rule(all+"    window: this month\n    pause_when: grossMediaSpend >= 2000\n", "4:5: warning: the rule may pause every creative of the account in one run | max_share: 20%"),
		"no delivery":               rule(all + "    window: yesterday\n    mode: notify\n    pause_when: impressions < 100\n"),
		"no spend":                  rule(all + "    window: yesterday\n    mode: notify\n    pause_when: grossMediaSpend < 0.01\n"),
		"behind the plan":           rule(all + "    window: yesterday\n    mode: notify\n    pause_when: budgetUsed < 0.5\n"),
		"a cap that goes on":        rule("scope: {campaigns: [\"SANDBOX1-*\"], level: account, keep_active: 1}\n    schedule: \"0 7 * * *\"\n    window: this month\n    pause_when: grossMediaSpend >= 2000\n", "8:17: warning: pause_when: grossMediaSpend >= 2000 does not stop the spend: with keep_active: 1, 1 creative of each campaign goes on to spend | remove keep_active"),
		"hours of everything":       rule("scope: {campaigns: [\"*\"]}\n    schedule: \"*/15 * * * *\"\n    active_hours: 08:00-20:00\n"),
		"a share of hours":          rule("scope: {campaigns: [\"*\"]}\n    schedule: \"*/15 * * * *\"\n    active_hours: 08:00-20:00\n    limits: {max_share: 20%}\n", "8:5: warning: max_share: 20% holds every pause that the hours make | remove max_share"),
		"hours and a condition":     rule("scope: {campaigns: [\"*\"]}\n    schedule: \"0,30 7-21 * * *\"\n    active_hours: 08:00-20:00\n    window: yesterday\n    pause_when: grossMediaSpend >= 2000\n", "4:5: warning: the rule may pause every creative of the account in one run | write two rules: one with active_hours"),
		"the best are told":         rule(all + "    window: yesterday\n    mode: notify\n    min_data: {impressions: 5000}\n    pause_when: rank(ctr) <= 3\n"),
		"no delivery, pauses":       rule(all+"    window: yesterday\n    limits: {max_share: 20%}\n    pause_when: impressions < 100\n", "9:17: warning: pause_when: impressions < 100 also holds for a creative that has hardly been shown | min_data"),
		"resume by the campaign":    onWeak("ctr < 0.0005\n    resume_when: campaign.ctr > 0.002", "15:18: warning: pause_when and resume_when can hold at once: with campaign.clicks 5010, clicks 2.5, campaign.impressions 10000, impressions 10000 | gap"),
		"a dear account":            rule(all + "    window: last 7 days\n    min_data: {clicks: 20}\n    pause_when: account.cpc > 5\n"),
		"the dearest campaigns":     rule(all + "    window: last 7 days\n    min_data: {clicks: 20}\n    limits: {max_share: 20%}\n    pause_when: rank(cpc) <= 3\n"),
		"a target of a table":       onWeak("cpc > target.cpc", "14:23: error: pause_when: the file has no targets | write targets: targets.csv at the top of the file"),
		"an outcome":                onWeak("outcomes.revenue < 5", "14:17: error: pause_when: outcomes has no parts, such as .revenue | write outcome. and the name of a column that `usher outcomes put` has stored"),
		"a landing page":            onWeak("bounceRate > 0.5", `14:17: error: pause_when: unknown metric "bounceRate" | usher cannot see landing pages; what people do instead is`),
	})
}

// TestWordsOfOtherTools checks conditions as people write them who know the automated rules
// of other platforms.
func TestWordsOfOtherTools(t *testing.T) {
	testMistakes(t, map[string]mistake{
		"percent of":               onStop("spend > 80% of daily budget", `7:25: error: pause_when: conditions have no percent signs | write 0.8 * and the metric, such as 0.8 * budget`),
		"percent of a campaign":    onWeak("ctr < 50 % of campaign ctr", `14:23: error: pause_when: conditions have no percent signs | write 0.5 * and the metric, such as 0.5 * budget`),
		"minus percent":            onStop("spend >= budget - 10%", `7:33: error: pause_when: conditions have no percent signs | write 0.9 * and the metric, such as 0.9 * budget`),
		"plus percent":             onStop("spend >= budget + 5%", `7:33: error: pause_when: conditions have no percent signs | write 1.05 * and the metric, such as 1.05 * budget`),
		"two words":                onWeak("Cost per result > 5", `14:22: error: pause_when: it cannot be read here: there is no operator before "per" | a metric is one word`),
		"for 3 days":               onWeak("ctr < 0.0005 for 3 days", `14:30: error: pause_when: "for 3 days" has no place in a condition | write the key for: 3 days in the rule`),
		"for 1 day":                onWeak("ctr < 0.0005 for 1 day", `14:30: error: pause_when: "for 1 day" has no place in a condition | write the key for: 1 day in the rule`),
		"in the last 3 days":       onWeak("clicks < 5 in the last 3 days", `14:28: error: pause_when: "in the last 3 days" has no place in a condition | write the key window: last 3 days in the rule`),
		"lifetime metric":          onStop("lifetime impressions > 1000", `7:17: error: pause_when: "lifetime impressions" is no metric | write impressions, and window: lifetime`),
		"yesterday's metric":       onStop("yesterday spend > 100", `7:17: error: pause_when: "yesterday spend" is no metric | write spend, and window: yesterday`),
		"lifetime budget":          onStop("lifetimeUsed >= 0.95 && lifetime budget > 5", `7:41: error: pause_when: unknown metric "lifetime budget" | write lifetimeBudget`),
		"average":                  onWeak("ctr < average ctr", `14:23: error: pause_when: conditions have no averages | write campaign.ctr for that of the campaign's creatives together, account.ctr for that of the account`),
		"avg()":                    onWeak("ctr < avg(ctr)", `14:23: error: pause_when: conditions have no averages | write campaign.ctr`),
		"the bottom 3":             onWeak("ctr is in the bottom 3", `14:21: error: pause_when: "is in the bottom 3" is not an operator | write rank(ctr) > count() - 3 for the lowest three, rank(ctr) <= 3 for the highest three`),
		"the time of day":          onWeak("time of day > 22", `14:17: error: pause_when: a condition has no clock | active_hours`),
		"the hour":                 onWeak("hour >= 22", `14:17: error: pause_when: unknown metric "hour" | active_hours`),
		"it ends too early":        onWeak("ctr < ", `14:23: error: pause_when: it cannot be read here: it ends where a number or a metric is missing | write a comparison`),
		"a parenthesis":            onWeak("(ctr < 0.001", `14:29: error: pause_when: a parenthesis is not closed | write ) behind what ( begins`),
		"one too many":             onWeak("ctr < 0.001)", `14:28: error: pause_when: it cannot be read here: ")" does not belong here | write a comparison`),
		"the best":                 onWeak("rank(ctr) < 3", `14:17: warning: pause_when: rank(ctr) < 3 pauses the creatives with the highest ctr, because 1 is the highest | write rank(ctr) > count() - 3`),
		"the best three":           onWeak("rank(clicks) <= 3 && impressions > 9000", `14:17: warning: pause_when: rank(clicks) <= 3 pauses the creatives with the highest clicks, because 1 is the highest | write rank(clicks) > count() - 3`),
		"the worst":                onWeak("rank(ctr) > count() - 3"),
		"the dearest":              {"{impressions: 5000}\n    pause_when: ctr < 0.0005", "{clicks: 500}\n    pause_when: rank(cpc) <= 3", nil},
		"ALL()":                    onWeak("ALL(ctr < 0.0005, clicks < 9)", `14:20: error: pause_when: conditions have no "ALL" | join comparisons with &&`),
		"any()":                    onWeak("any(ctr < 0.0005, clicks < 9)", `14:20: error: pause_when: conditions have no "any" | join comparisons with ||`),
		"bottom()":                 onWeak("bottom(ctr, 2)", `14:23: error: pause_when: conditions have no "bottom" | write rank(ctr) > count() - 2 for the lowest`),
		"top(), the metric last":   onWeak("top(2, cpc) > 1", `14:20: error: pause_when: conditions have no "top" | write rank(cpc) <= 2 for the highest`),
		"worst() of nothing":       onWeak("worst()", `14:22: error: pause_when: conditions have no "worst" | write rank(ctr) > count() - 3 for the lowest`),
		"campaign.spend":           onWeak("grossMediaSpend > 0.5 * campaign.spend", `14:41: error: pause_when: unknown metric "campaign.spend" | did you mean "campaign.grossMediaSpend"?`),
		"adset.cpc":                onWeak("cpc > 3 * adset.cpc", `14:27: error: pause_when: adset has no parts, such as .cpc | write campaign.cpc for that of the creative's campaign, account.cpc for that of the account, previous.cpc for the window before`),
		"a window unquoted":        onWeak("ctr < over(last 14 days).ctr", `14:23: error: pause_when: the window has no quotes | write over("last 14 days")`),
		"a window in a condition":  onWeak("ctr < 0.0005 last 7 days", `14:30: error: pause_when: "last 7 days" has no place in a condition | write the key window: last 7 days in the rule`),
		"a window in smart quotes": onWeak("ctr < over(“last 14 days”).ctr", `14:28: error: pause_when: these are no plain quotes | write "last 14 days"`),
		"between":                  onWeak("ctr between 0 and 0.0005", `14:17: error: pause_when: "between" is not an operator | write ctr >= 0 && ctr <= 0.0005`),
		"between, unreadable":      onWeak("ctr between nothing", `14:21: error: pause_when: "between" is not an operator | with your metric and numbers`),
		"on the next line":         onWeak("ctr < 0.0005\n      and impressions > 9000", `15:7: error: pause_when: "and" does not join conditions | write &&`),
		"on the third line":        onWeak("\"ctr < 0.0005\n      && impressions > 9000\n  and won > 5\"", `16:3: error: pause_when: "and" does not join conditions | write &&`),
		"after an empty line":      onWeak("ctr < 0.0005\n\n      and impressions > 9000", `14:17: error: pause_when: "and" does not join conditions | write &&`),
		"scope: all":               {`{campaigns: ["SANDBOX1-*"], exclude: ["*-loyalty"]}`, "all", []string{`5:12: error: scope must be keys with values | write scope: {campaigns: ["*"]}`}},
		"mode: pause":              {"    pause_when: ctr", "    mode: pause\n    pause_when: ctr", []string{`14:11: error: unknown mode "pause" | write act`}},
		"notify: true":             {"    pause_when: ctr", "    notify: true\n    pause_when: ctr", []string{`14:13: error: unknown notify "true" | write digest`}},
		"notify: an address":       {"    pause_when: ctr", "    notify: ann@example.com\n    pause_when: ctr", []string{`14:13: error: unknown notify "ann@example.com" | write digest or each: alerts.webhook in the configuration has the address`}},
		"level: ad":                {"level: creative", "level: ad", []string{`11:47: error: unknown level "ad" | write creative`}},
		"mode: alert":              {"    pause_when: ctr", "    mode: alert\n    pause_when: ctr", []string{`14:11: error: unknown mode "alert" | write notify`}},
		"apply_to":                 {"    pause_when: ctr", "    apply_to: ads\n    pause_when: ctr", []string{`14:5: error: a rule has no key "apply_to" | write scope`}},
		"min_impressions":          {"min_data: {impressions: 5000}", "min_impressions: 5000", []string{`13:5: error: a rule has no key "min_impressions" | write min_data`}},
		"increase_budget_by":       {"    pause_when: ctr", "    increase_budget_by: 20%\n    pause_when: ctr", []string{`14:5: error: a rule has no key "increase_budget_by" | write budget`}},
		"limits of a number":       {"{max_share: 20%}", "30%", []string{`9:13: error: limits must be keys with values, and this is a single value | write limits: {max_share: 20%}`}},
		"scope of a name":          {`{campaigns: ["SANDBOX1-*"], exclude: ["*-loyalty"]}`, "SANDBOX1-video", []string{`5:12: error: scope must be keys with values, and this is a single value | write scope: {campaigns: ["SANDBOX1-video"]}`}},
		"continuously":             {`"0 7 * * *"`, "continuously", []string{`8:15: error: schedule "continuously" has 1 field | write "*/15 * * * *"`}},
		"a ratio that notifies":    {"pause_when: grossMediaSpend >= 1.05 * budget", "min_data: {clicks: 500}\n    mode: notify\n    pause_when: cpc > 5", nil},
		"action":                   {"    pause_when: ctr", "    action: pause\n    pause_when: ctr", []string{`14:5: error: a rule has no key "action" | leave it out: pause_when pauses, and mode: notify only reports`}},
		"then":                     {"    pause_when: ctr", "    then: pause\n    pause_when: ctr", []string{`14:5: error: a rule has no key "then" | leave it out: pause_when pauses`}},
		"description":              {"    pause_when: ctr", "    description: weak ads\n    pause_when: ctr", []string{`14:5: error: a rule has no key "description" | write a comment`}},
		"campaigns: all":           {`["SANDBOX1-*"]`, "all", []string{`5:24: error: campaigns must be a list, and this is a single value | write campaigns: ["*"]`}},
		"a limit of a percentage":  {"{max_share: 20%}", "{max_creatives: 20%}", []string{`9:29: error: max_creatives must be a whole number, and this is "20%" | write max_share: 20%`}},
		"a name in words":          {"name: weak", "name: Pause, if weak", []string{`10:11: error: the name "Pause, if weak" cannot be part of a job id | write Pause-if-weak: up to 64 letters`}},
		"max_creatives of a rule":  {"    pause_when: ctr", "    max_creatives: 5\n    pause_when: ctr", []string{`14:5: error: a rule has no key "max_creatives" | write it in limits: {max_creatives: …}`}},
		"level of a rule":          {"    pause_when: ctr", "    level: creative\n    pause_when: ctr", []string{`14:5: error: a rule has no key "level" | write it in scope: {level: …}`}},
		"labels of a rule":         {"    pause_when: ctr", "    labels: [summer]\n    pause_when: ctr", []string{`14:5: error: a rule has no key "labels" | write it in scope`}},
		"decrease of a rule":       {"    pause_when: ctr", "    decrease: 20%\n    pause_when: ctr", []string{`14:5: error: a rule has no key "decrease" | write it in budget or bid`}},
		"cooldown of limits":       {"{max_share: 20%}", "{max_share: 20%, cooldown: 1d}", []string{`9:30: error: limits has no key "cooldown" | write it in the rule, outside of limits`}},
		"ctr.previous":             onWeak("ctr < 0.5 * ctr.previous", `14:29: error: pause_when: ctr is a number and has no parts, such as .previous | write previous.ctr`),
		"last_week.ctr":            onWeak("ctr < 0.5 * last_week.ctr", `14:29: error: pause_when: last_week has no parts, such as .ctr | previous.ctr for the window before, over("last 14 days").ctr for another window`),
		"drops by":                 onWeak("ctr drops by 20%", `14:17: error: pause_when: "ctr drops by 20%" is not a comparison | write ctr < 0.8 * previous.ctr`),
		"increased by":             onWeak("clicks > 50 && cpc increased by more than 50 %", `14:32: error: pause_when: "cpc increased by more than 50 %" is not a comparison | write cpc > 1.5 * previous.cpc`),
		"a comma":                  onWeak("ctr < 0.0005, clicks < 9", `14:29: error: pause_when: it cannot be read here: "," does not belong here | join comparisons with && (all of them) or || (any of them)`),
		"turn_off_when":            {"pause_when: ctr", "turn_off_when: ctr", []string{`14:5: error: a rule has no key "turn_off_when" | write pause_when`}},
	})
}
