package review

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/internal/rtb"
	"usher/internal/rules"
	"usher/queues"
	"usher/queues/decisions"
)

// Reviewer decides again on what waits for approval, and says what rules would do about what people
// do.
type Reviewer struct {
	Queue *queues.Queue
	// Rules are the files that workers use.
	Rules []*rules.Set
	// Platform returns a client of an advertiser.
	Platform func(advertiser string) (*rtb.Client, error)
}

// Open returns the reviewer of a command, which uses the configured login of the platform and the
// rule files that workers have announced.
func Open(ctx context.Context, cmd *cobra.Command, q *queues.Queue) (*Reviewer, error) {
	cfg, err := config.Load(cmd, os.LookupEnv)
	if err != nil {
		return nil, err
	}
	r := &Reviewer{Queue: q, Platform: func(advertiser string) (*rtb.Client, error) {
		login := connect.NewLogin(cmd, cfg)
		login.Advertiser = advertiser
		return login.Paced(cfg)
	}}
	r.Rules, err = announced(ctx, q)
	return r, err
}

// announced returns the rule files that workers use, as far as this version can read them.
func announced(ctx context.Context, q *queues.Queue) ([]*rules.Set, error) {
	files, err := decisions.NewFileRegistry(q).List(ctx)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	workers, err := q.Presence().Workers(ctx)
	if err != nil {
		return nil, err
	}
	for i := range workers {
		for _, name := range workers[i].Rules {
			used[name] = true
		}
	}
	var sets []*rules.Set
	for i := range files {
		if set, _ := rules.LoadAnnounced(&files[i]); set != nil && used[set.Name] {
			sets = append(sets, set)
		}
	}
	return sets, nil
}

// withoutPaused returns a file without the rules that people have paused, which take no part in a run.
func withoutPaused(set *rules.Set, paused map[string]usher.Setting) *rules.Set {
	return set.Without(func(key string) bool { _, is := paused[key]; return is })
}

// others returns the other files of a file's account, as its runs use them.
func (r *Reviewer) others(set *rules.Set, paused map[string]usher.Setting) []*rules.Set {
	var others []*rules.Set
	for _, other := range r.Rules {
		if other.Account == set.Account && other.Name != set.Name {
			others = append(others, withoutPaused(other, paused))
		}
	}
	return others
}
