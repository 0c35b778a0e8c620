package main_test

import (
	"path/filepath"
	"time"

	"usher"
)

// checkRules runs both rules, approves the held run, undoes it and backtests the
// rules.
func checkRules(dev *devProcess, b *tab) {
	evaluate := func(id, campaign string) job {
		return job{"id": id, "rules": "budgets", "metrics": job{"campaign": campaign, "at": time.Now().UTC(), "values": job{"grossMediaSpend": 99, "budget": 100}}}
	}
	b.open("#/rules")
	b.waitForText("budgets/stop", "budgets/ask", "pause when grossMediaSpend >= 0.95 * budget", "17 3 29 2 *", "No runs yet")
	dev.publish(usher.RulesEvaluate, evaluate("spent-summer", "SANDBOX1-summer"))
	dev.publish(usher.RulesEvaluate, evaluate("spent-autumn", "SANDBOX1-autumn"))
	b.waitForText("spent-summer", "Rule ask of the file budgets, for SANDBOX1-autumn: 4 held (3 wait for approval, 1 by keep_active), since", "3 pauses")
	b.waitFor(`[...document.querySelectorAll("td[data-name=Last] time")].length === 2`) // by events, not by their schedule
	b.screenshot("rules-held")
	b.open("#/campaigns?only=held")
	b.waitForText("3 held", "1 campaign")
	b.screenshot("campaigns-held")
	b.open("#/")
	b.waitForText("Rule ask of the file budgets waits for approval of 3 changes in SANDBOX1-autumn")
	b.open("#/rules")
	b.waitForText("Rule ask of the file budgets")
	b.click(".callout a", "Details")
	b.waitForText("This run waits for approval", "autumn-1", "held")
	b.screenshot("run-held")
	b.click("button", "Approve …")
	b.waitForText("Spend at stake: ", "What would change", "Not carried out by an approval", "autumn-4", "would pause, but keep_active is 1")
	b.waitFor(`[...document.querySelectorAll("dialog input[type=checkbox]")].length === 3`)
	b.click("dialog input", "Approve pause of SANDBOX1-autumn/autumn-3")
	b.waitForText("1 change left out")
	b.screenshot("approve")
	b.fill("Reason", "yes, it is spent")
	b.click("dialog button", "Approve")
	b.waitForText("4 held (2 approved, 1 dropped, 1 by keep_active)", "local: yes, it is spent", "left out of the approval", "Approved by local, ", "It was held: ")
	b.waitFor(`[...document.querySelectorAll("td .badge.warn + .note")].filter(n => n.innerText === "approved").length === 2`)
	b.waitForNoText("Would pause, and waits for approval")
	b.open("#/campaigns/SANDBOX1-autumn")
	b.waitFor(`[...document.querySelectorAll("tbody tr")].filter(r => r.innerText.includes("paused")).length === 2`)
	b.open("#/rules/why/autumn-1")
	b.waitForText("active → paused", "Paused by the rule budgets/ask")
	b.screenshot("why")
	b.open("#/rules/why/autumn-3")
	b.waitForText("budgets/ask wanted to pause it, and local approved the run without that", "dropped: the approval left it out")
	b.open("#/rules/why/loyalty-1")
	b.waitForText("Not known: usher has never changed it, so it does not know its campaign.")
	b.open("#/rules/why/loyalty-1?campaign=SANDBOX1-autumn")
	b.waitForText("budgets/ask", "pauses when grossMediaSpend >= 0.95 * budget, today")
	b.open("#/rules/runs/spent-autumn")
	b.click("button", "Undo …")
	b.fill("Reason", "the budget was raised")
	b.click("dialog button", "Undo")
	b.waitForText("Undoing run", "Undone by local")
	b.waitForText("Undo again …") // for what the first one could not undo
	b.open("#/campaigns/SANDBOX1-autumn")
	b.waitForText("Rules in scope", "budgets/ask", "undo of spent-autumn", "no zone", "kept by local until released")
	b.screenshot("campaign-changes")
	b.open("#/rules/why/autumn-1")
	b.waitForText("Rules leave it alone: kept by local until released", "Rules that may change it", "budgets/ask")
	b.screenshot("why-kept")
	b.click("button", "Hand back to rules …")
	b.fill("Reason", "it may be paused again")
	b.click("dialog button", "Hand back")
	b.waitForText("Keep rules from it …", "rules may change it")
	b.click("button", "Keep rules from it …")
	b.waitForText("Keep rules from autumn-1?", "leave it alone until tomorrow")
	b.fill("Reason", "on television tonight")
	b.screenshot("keep")
	b.click("dialog button", "Keep")
	b.waitForText("kept by local until", "on television tonight")
	b.open("#/rules")
	b.waitForText("Saved is an estimate", "not known of 3 pauses: the report has no spend of the creative on the 7 days before the pause")
	dev.control("POST", "faults", job{"op": "reporting.campaign", "kind": "status", "status": 200, "for": "10m", "body": job{"status": "success", "data": job{"reports": []job{{
		"reportDate": time.Now().AddDate(0, 0, -2).Format(time.DateOnly), "campaignCode": "SANDBOX1-summer", "currencyCode": "USD",
		"creatives": []job{{"creativeCode": "summer-1", "grossMediaSpend": 86_400_000}},
	}}}}}, nil)
	b.click("button", "Pause budgets/stop")
	b.fill("Reason", "new budgets on Monday")
	b.click("dialog button", "Pause")
	b.waitForText("paused by local", "new budgets on Monday")
	b.waitForText("This week", "What would they do now?")
	b.click("button", "Preview budgets")
	b.waitForText("Nothing was changed.")
	b.screenshot("rule-paused")
	b.open("#/campaigns/SANDBOX1-summer")
	b.waitForText("new budgets on Monday")
	b.open("#/rules")
	b.waitFor(`[...document.querySelectorAll("td[data-name=Saved]")].some(td => /^about [\d,.]{3,} USD/.test(td.innerText) && td.innerText.includes("not known of 2 pauses"))`)
	dev.control("DELETE", "faults", nil, nil)
	b.click("button", "Resume budgets/stop")
	b.fill("Reason", "budgets are set")
	b.click("dialog button", "Resume")
	b.waitForNoText("new budgets on Monday")
	b.click("button", "Run budgets/stop now")
	b.waitForText("Run rule budgets/stop now?", "What it decides is carried out at once")
	b.click("dialog button", "Run")
	b.waitForText("Decisions", "As of", "budgets ·")
	b.open("#/rules/backtest?file=budgets&from=2014-03-17&to=2014-04-20")
	b.waitForText("Spend by day", "What would have changed", "Saved", "The window today was the report's row of the whole day")
	b.screenshot("backtest")
	b.open("#/rules/backtest?file=budgets&from=2012-02-01&to=2012-02-03")
	b.waitForText("The reports have no spend of these days", "No rule would have changed anything")
	checkTogether(dev, b)
}

// checkTogether checks that what a rule of level account decides is one row of a run and of its
// approval, which opens.
func checkTogether(dev *devProcess, b *tab) {
	writeFile(b.t, filepath.Join(dev.rules, "together.yaml"), `
account: SANDBOX1
timezone: Europe/London
rules:
  - name: cap
    scope: {campaigns: ["*"], exclude: ["*-loyalty"], level: account}
    window: this month
    pause_when: grossMediaSpend >= 15000
    mode: approve
`)
	dev.publish(usher.RulesEvaluate, job{"id": "together", "rules": "together", "asOf": "2014-04-10T07:00:00+01:00"})
	dev.ended("together")
	b.open("#/rules")
	b.waitForText("all campaigns but not *-loyalty, all together · this month")
	b.open("#/rules/why/video-1")
	b.waitForText("together/cap wants to pause it, and waits for approval", "pauses all campaigns in its scope together when grossMediaSpend >= 15000, this month", "one decision on 8 campaigns: SANDBOX1-autumn, ")
	b.open("#/rules/runs/together")
	b.waitForText("26 creatives of 8 campaigns", "of 8 campaigns together", "1 creative of 1 campaign", "kept by local until")
	b.waitFor(`document.querySelectorAll("table.cards tbody tr").length === 3`)
	b.click("summary", "26 creatives of 8 campaigns")
	b.waitForText("autumn-3", "winter-5")
	b.click("button", "Approve …")
	b.waitForText("Spend at stake: ", "pause")
	b.waitFor(`[...document.querySelectorAll("dialog input[type=checkbox]")].length === 1`)
	b.click("dialog input", "Approve pause of all 26 together")
	b.waitForText("26 changes left out")
	b.screenshot("approve-together")
	b.press(keyEscape)
	b.click("button", "Reject …")
	b.fill("Reason", "next month")
	b.click("dialog button", "Reject")
	b.waitForText("rejected")
}
