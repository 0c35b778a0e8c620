package rules

import (
	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
)

// Command returns usher rules.
func Command() *cobra.Command {
	return command.Group("rules", "Rules that pause and resume creatives",
		rulesCheck(), rulesTest(), rulesPreview(), rulesBacktest(), rulesList(), rulesRuns(), rulesRun(), rulesWhy(), rulesUndo(), rulesApprove(), rulesReject(), rulesStop(), rulesStart(), rulesRebuild())
}
