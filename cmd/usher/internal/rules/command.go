package rules

import (
	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
)

// Command returns the command usher rules.
func Command() *cobra.Command {
	return command.Group("rules", "Check rules that pause and resume creatives, and control their runs",
		rulesCheck(), rulesTest(), rulesPreview(), rulesBacktest(), rulesList(), rulesShow(), rulesPause(), rulesResume(), runs(), why(), approve(), reject(), undo(), keep(), kept(), release())
}
