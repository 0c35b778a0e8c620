package main

import "github.com/spf13/cobra"

func rulesCommand() *cobra.Command {
	return group("rules", "Rules that pause and resume creatives",
		rulesCheck(), rulesTest(), rulesPreview(), rulesBacktest(), rulesList(), rulesRuns(), rulesRun(), rulesWhy(), rulesUndo(), rulesApprove(), rulesReject(), rulesStop(), rulesStart(), rulesRebuild())
}
