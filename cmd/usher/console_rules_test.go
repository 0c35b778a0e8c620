package main_test

import (
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
	b.waitForText("spent-summer", "Rule ask of budgets: 4 held (3 wait for approval), since", "3 pauses")
	b.waitFor(`[...document.querySelectorAll("td[data-name=Last] time")].length === 2`) // by events, not by their schedule
	b.screenshot("rules-held")
	b.open("#/campaigns?only=held")
	b.waitForText("3 held", "1 campaign")
	b.screenshot("campaigns-held")
	b.open("#/")
	b.waitForText("waits for approval of 3 changes")
	b.open("#/rules")
	b.waitForText("Rule ask of budgets")
	b.click(".callout a", "Details")
	b.waitForText("This run waits for approval", "autumn-1", "held")
	b.screenshot("run-held")
	b.click("button", "Approve …")
	b.waitForText("What would change", "Not carried out by an approval", "autumn-4", "would pause, but keep_active is 1")
	b.waitFor(`[...document.querySelectorAll("dialog input[type=checkbox]")].length === 3`)
	b.click("dialog input", "Approve pause of SANDBOX1-autumn/autumn-3")
	b.waitForText("1 change left out")
	b.screenshot("approve")
	b.fill("Reason", "yes, it is spent")
	b.click("dialog button", "Approve")
	b.waitForText("4 held (2 approved, 1 dropped)", "local: yes, it is spent", "left out of the approval")
	b.open("#/campaigns/SANDBOX1-autumn")
	b.waitFor(`[...document.querySelectorAll("tbody tr")].filter(r => r.innerText.includes("paused")).length === 2`)
	b.open("#/rules/why/autumn-1")
	b.waitForText("active → paused", "Paused by the rule budgets/ask")
	b.screenshot("why")
	b.open("#/rules/why/autumn-3")
	b.waitForText("dropped: the approval left it out")
	b.open("#/rules/runs/spent-autumn")
	b.click("button", "Undo …")
	b.fill("Reason", "the budget was raised")
	b.click("dialog button", "Undo")
	b.waitForText("Undoing run")
	b.open("#/campaigns/SANDBOX1-autumn")
	b.waitForText("Rules in scope", "budgets/ask", "undo of spent-autumn", "no zone")
	b.screenshot("campaign-changes")
	b.open("#/rules")
	b.click("button", "Pause budgets/stop")
	b.fill("Reason", "new budgets on Monday")
	b.click("dialog button", "Pause")
	b.waitForText("paused by local", "new budgets on Monday")
	b.screenshot("rule-paused")
	b.open("#/campaigns/SANDBOX1-summer")
	b.waitForText("new budgets on Monday")
	b.open("#/rules")
	b.click("button", "Resume budgets/stop")
	b.fill("Reason", "budgets are set")
	b.click("dialog button", "Resume")
	b.waitForNoText("new budgets on Monday")
	b.click("button", "Run budgets/stop now")
	b.waitForText("Run rules budgets", "Timeline")
	b.open("#/rules/backtest?file=budgets&from=2014-03-17&to=2014-04-20")
	b.waitForText("Spend by day", "What would have changed", "Saved", "The window today was the report's row of the whole day")
	b.screenshot("backtest")
}
