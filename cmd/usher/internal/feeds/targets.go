package feeds

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/internal/feeds"
	"usher/internal/rtb"
)

// platformTime is how long the platform may take to list an advertiser's segments and
// campaigns.
const platformTime = 20 * time.Second

// targets are the segments, with their types, and the campaigns of an advertiser.
type targets struct {
	segments  map[string]string
	campaigns []string
}

// addTargets adds an error for each feed whose segment or campaign does not exist. If the
// platform does not respond, it says so on stderr.
func addTargets(cmd *cobra.Command, c config.Config, reports []report) error {
	ctx, cancel := context.WithTimeout(cmd.Context(), platformTime)
	defer cancel()
	login := connect.NewLogin(cmd, c)
	known := map[string]*targets{} // by advertiser
	for i := range reports {
		r := &reports[i]
		for _, f := range r.loaded {
			advertiser := cmp.Or(f.Job.Advertiser, c.String("platform.advertiser"))
			if known[advertiser] == nil {
				login.Advertiser = advertiser
				client, err := login.Client(c)
				if err != nil {
					return err
				}
				found, err := readTargets(ctx, client)
				if err != nil {
					fmt.Fprintf(cmd.ErrOrStderr(), "the platform does not say whether segments and campaigns of %s exist: %v%s\n", advertiser, err, login.Hint(err))
					return nil
				}
				known[advertiser] = found
			}
			if p := known[advertiser].problem(f, advertiser); p != nil {
				r.Problems = append(r.Problems, *p)
			}
		}
	}
	return nil
}

func readTargets(ctx context.Context, client *rtb.Client) (*targets, error) {
	t := &targets{segments: map[string]string{}}
	segments, err := client.Segments.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range segments {
		t.segments[s.ID] = s.Type
	}
	t.campaigns, err = client.Campaigns.List(ctx)
	return t, err
}

// problem returns what is wrong with the target of a feed, or nil.
func (t *targets) problem(f *feeds.Feed, advertiser string) *feeds.Problem {
	var p feeds.Problem
	job := &f.Job
	idType, segment := t.segments[job.Segment]
	switch family := f.Kind.Family(); {
	case family == "target" && !slices.Contains(t.campaigns, job.Campaign):
		p = f.Problem("target", "see usher api campaigns list", "campaign %q does not exist for advertiser %s", job.Campaign, advertiser)
	case family == "segment" && !segment:
		p = f.Problem("target", "see usher api segments list; a segment's id is not its name", "segment %q does not exist for advertiser %s", job.Segment, advertiser)
	case family == "segment" && (idType == rtb.TypeIDFA) != (job.Profile.Type == usher.IDFA):
		p = f.Problem("target", "use a profile that fits, or another segment", "segment %q is of type %s and takes no %s", job.Segment, idType, job.Profile.Type)
	default:
		return nil
	}
	return &p
}
