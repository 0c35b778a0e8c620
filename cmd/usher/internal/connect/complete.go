package connect

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"usher/queues"
)

// completeTime is how long a person waits for the shell's completion at most.
const completeTime = 2 * time.Second

// Complete completes the first argument of a command by names that are read from the queue: each is
// a name, or a name, a tab and what it is. If they cannot be read, the shell offers nothing.
func Complete(names func(ctx context.Context, q *queues.Queue) ([]string, error)) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveDefault
		}
		var list []string
		ctx, cancel := context.WithTimeout(cmd.Context(), completeTime)
		defer cancel()
		cmd.SetContext(ctx)
		err := WithQueue(cmd, func(ctx context.Context, q *queues.Queue) (err error) {
			list, err = names(ctx, q)
			return err
		})
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}

// CompleteFlag completes the values of a flag as Complete does arguments.
func CompleteFlag(cmd *cobra.Command, flag string, names func(ctx context.Context, q *queues.Queue) ([]string, error)) {
	complete := Complete(names)
	// It fails only if the flag does not exist.
	_ = cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		return complete(cmd, nil, word)
	})
}
