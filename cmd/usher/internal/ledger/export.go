package ledger

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/hashing"
	"usher/internal/exports"
	"usher/internal/ledger"
	"usher/pipeline"
)

// exportFlags has the flags that describe an export.
type exportFlags struct {
	profile command.Profile
	input   string
	source  command.SourceFlags
}

func (e *exportFlags) addFlags(cmd *cobra.Command) {
	command.ProfileVar(cmd, &e.profile, "form in which ids are hashed")
	command.ChoiceVar(cmd, &e.input, "input", "form of the values (default raw)", "raw", "md5", "auto")
	e.source.AddFlags(cmd)
	_ = cmd.MarkFlagRequired("profile") // it fails only if the flag does not exist
}

// run is the number of a run of a command, which has a job's id of its own.
const run = 1

// newID returns a new id for the files of a command.
func newID(what string) string { return what + "-" + strings.ToLower(rand.Text()[:10]) }

// read reads an export as a worker reads it, and writes its digests as runs of a job into a
// store. It returns the numbers of runs of the parts, and the rows.
func (e *exportFlags) read(ctx context.Context, cmd *cobra.Command, file string, t ledger.Target, store *ledger.Store, job string, suppressed *pipeline.Suppression) (runs []int, rows usher.Tally, err error) {
	source := e.source.Source()
	access, limits, err := connect.LocateExport(cmd, source, file)
	if err != nil {
		return nil, rows, err
	}
	defer access.Close()
	opener := exports.New(access, limits)
	profile := e.profile.Profile
	input := usher.Input(e.input)
	plan, err := opener.Plan(ctx, source, exports.Wanted{Type: profile.Type, Input: input}, 0)
	if err != nil {
		return nil, rows, hinted(err)
	}
	plan.Input = input
	switch input {
	case "":
		plan.Input = usher.InputRaw
	case usher.InputAuto:
		sample, err := opener.FirstBlock(ctx, source, plan)
		if err != nil {
			return nil, rows, hinted(err)
		}
		plan.Input = pipeline.DecideInput(profile, sample)
		sample.Release()
	}
	for part, of := range plan.Parts {
		n, tally, err := e.readPart(ctx, opener, source, &plan, part, of, t, store, job, suppressed)
		if err != nil {
			return nil, rows, hinted(err)
		}
		runs = append(runs, n)
		rows.Add(tally)
	}
	return runs, rows, nil
}

func (e *exportFlags) readPart(ctx context.Context, opener *exports.Opener, source *usher.Source, plan *usher.Plan, part int, of usher.Part, t ledger.Target, store *ledger.Store, job string, suppressed *pipeline.Suppression) (int, usher.Tally, error) {
	blocks, err := opener.Open(ctx, source, *plan, of)
	if err != nil {
		return 0, usher.Tally{}, err
	}
	defer func() { _ = blocks.Close() }() // only read
	runs := store.Staging(t, job, run).Runs(ledger.ReadStep, part, 0)
	defer runs.Release()
	c, err := pipeline.Upload(ctx, blocks, pipeline.Options{
		Profile: e.profile.Profile, Input: plan.Input, Header: plan.Header, Chosen: plan.Chosen, Hyphens: plan.Hyphens, Mixed: !t.IsSegment(),
		KeepDuplicates: true, Window: usher.WindowRows / 8, DryRun: true, First: part == 0, MaxRejectPercent: 90, MaxMalformedPercent: 1, Suppressed: suppressed,
		Outcome: func(ctx context.Context, digests []hashing.Digest, _ bool) error { return runs.Add(ctx, digests) },
	})
	if err != nil {
		return 0, c.Tally, err
	}
	n, err := runs.Flush(ctx)
	return n, c.Tally, err
}

// hinted adds the hint of an error, in words of the command line.
func hinted(err error) error {
	var p *usher.Permanent
	if !errors.As(err, &p) || p.Hint == "" {
		return err
	}
	return fmt.Errorf("%s\nhint: %s", command.InFlags(err.Error()), command.InFlags(p.Hint))
}
