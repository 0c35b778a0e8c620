package connect

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/queues"
	"usher/queues/status"
)

// completeTime is how long a person waits for the shell's completion at most.
const completeTime = 2 * time.Second

// Complete completes the first argument of a command by names that are read from the queue: each is a name, or a name, a tab and what it is. If they cannot be read, the shell
// offers nothing.
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

// completedJobs is the number of newest jobs that completion reads.
const completedJobs = 200

// JobNames returns the ids of the newest jobs, with what they are.
func JobNames(ctx context.Context, q *queues.Queue) ([]string, error) {
	records, err := q.Status().Records(ctx, status.Filter{Limit: completedJobs})
	var list []string
	for i := range records {
		if r := &records[i]; r.ID != "" {
			list = append(list, r.ID+"\t"+string(r.Kind)+" "+string(r.State)+", "+r.Label())
		}
	}
	return list, err
}

// TargetNames returns the segments whose names usher knows and the targets of the newest jobs:
// segment/4, campaign/CODE, with their names.
func TargetNames(ctx context.Context, q *queues.Queue) ([]string, error) {
	about := map[string]string{}
	for id, segment := range q.Names().Known(ctx)[""] {
		about["segment/"+id] = segment.Name
	}
	records, err := q.Status().Records(ctx, status.Filter{Limit: completedJobs})
	for i := range records {
		var job usher.Job
		_ = json.Unmarshal(records[i].Job, &job) // unreadable fields are left empty
		target := strings.Replace(job.Target(records[i].Kind), " ", "/", 1)
		_, known := about[target]
		if !known && (strings.HasPrefix(target, "segment/") || strings.HasPrefix(target, "campaign/")) {
			about[target] = records[i].TargetName
		}
	}
	var list []string
	for target, name := range about {
		list = append(list, strings.TrimSuffix(target+"\t"+name, "\t"))
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(len(a)-len(b), cmp.Compare(a, b)) })
	return list, err
}

// NamesOf returns the names among targets that have a prefix, such as "segment/", without it.
func NamesOf(prefix string) func(ctx context.Context, q *queues.Queue) ([]string, error) {
	return func(ctx context.Context, q *queues.Queue) ([]string, error) {
		var list []string
		targets, err := TargetNames(ctx, q)
		for _, target := range targets {
			if name, found := strings.CutPrefix(target, prefix); found {
				list = append(list, name)
			}
		}
		return list, err
	}
}
