package command

import (
	"time"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/terminal"
)

// absoluteFlag is the flag of all commands that asks for dates instead of ages.
const absoluteFlag = "absolute"

// AddAbsolute adds the flag --absolute to all commands below root.
func AddAbsolute(root *cobra.Command) {
	root.PersistentFlags().Bool(absoluteFlag, false, "print times as dates, which a terminal otherwise gets as ages")
}

// Times returns how the command prints times in lists.
func Times(cmd *cobra.Command) terminal.Times {
	absolute, err := cmd.Flags().GetBool(absoluteFlag)
	return terminal.NewTimes(cmd.OutOrStdout(), err == nil && absolute, time.Now())
}
