package submit

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/review"
	"usher/internal/readable"
	"usher/queues"
)

// reversalTime limits how long submit asks whether a rule would take back a resume.
const reversalTime = 15 * time.Second

// noteReversals says which rules would pause again in their next runs what a job resumes, and by
// which numbers, or that this is not known.
func noteReversals(ctx context.Context, cmd *cobra.Command, q *queues.Queue, kind usher.Kind, body []byte) {
	var job usher.Job
	if kind != usher.CampaignResume || json.Unmarshal(body, &job) != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, reversalTime)
	defer cancel()
	reviewer, err := review.Open(ctx, cmd, q)
	if err != nil || len(reviewer.Pausing(job.Campaign)) == 0 {
		return // a publisher's login does not read the rules; the job is published all the same
	}
	found, err := reviewer.Reversals(ctx, job.Campaign, job.Creatives)
	if err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "note: it is not known whether rule %s would pause it again: %s\n", strings.Join(reviewer.Pausing(job.Campaign), ", "), readable.Printable(err.Error()))
		return
	}
	writeReversals(cmd.ErrOrStderr(), found)
}

func writeReversals(w io.Writer, found []review.Reversal) {
	for i := range found {
		r := &found[i]
		fmt.Fprintf(w, "note: %s; 'usher rules keep %s --until tomorrow' keeps rules from it\n", readable.Printable(r.Text(readable.Time)), readable.Printable(r.Creatives[0]))
	}
}
