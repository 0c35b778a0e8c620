package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"usher"
	"usher/queues"
	"usher/queues/status"
)

// completedJobs is the number of newest jobs that completion reads.
const completedJobs = 200

// Names returns the ids of the newest jobs, with what they are.
func Names(ctx context.Context, q *queues.Queue) ([]string, error) {
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
