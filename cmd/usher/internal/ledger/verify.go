package ledger

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"math"
	mathrand "math/rand/v2"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/hashing"
	"usher/internal/ledger"
	"usher/internal/readable"
	"usher/internal/rtb"
)

func verify() *cobra.Command {
	sample := 0
	return command.View[*session, *Verified]{
		About: command.About{
			Use:   "verify TARGET",
			Short: "Compare the ledger of a target with the platform",
			Long: `Read the whole ledger of a target, and ask the platform for a sample of the ids that it
must hold, and of ids that it must not hold any more, or that a holdout keeps out. low and high are bounds of how far the
ledger is off, in percent of the ids, with 95 % confidence. Of a campaign only the number of
ids can be asked. verify exits 1 if anything differs. TARGET is segment/ID or campaign/CODE.`,
			Example: "  usher ledger verify segment/17 --sample 5000",
			Args:    command.ExactArgs("TARGET"),
			Flags: func(cmd *cobra.Command) {
				cmd.Flags().IntVar(&sample, "sample", 1000, "number of ids to ask for")
			},
			Check: func(*command.Call) error {
				if sample < 1 {
					return command.Usagef("flag --sample takes a number of ids, 1 or more")
				}
				return nil
			},
			JSON: "an object",
		},
		On: one("platform", "username"),
		Load: func(ctx context.Context, c *command.Call, s *session) (*Verified, error) {
			head, err := s.head(ctx)
			if err != nil {
				return nil, err
			}
			client, err := connect.NewLogin(c.Cmd, s.config).Paced(s.config)
			if err != nil {
				return nil, err
			}
			found, err := Verify(ctx, s.store, client, head, sample)
			found.target = s.target
			return &found, err
		},
		Print:   func(c *command.Call, v *Verified) error { return v.write(c.Out()) },
		Failure: func(_ *command.Call, v *Verified) error { return v.verdict() },
	}.Command()
}

// Verified is the result of a comparison of a ledger with the platform.
type Verified struct {
	Target string `json:"target"`
	// Count, Low and High are null if it is not known which ids the target holds, because the job
	// Unfinished may have removed all of them.
	Count      *int64   `json:"count"`
	Uncertain  int64    `json:"uncertain"`            // ids that the target may or may not hold
	Unfinished string   `json:"unfinished,omitempty"` // a job that has begun to change the target
	Asked      int64    `json:"asked"`
	Missing    int64    `json:"missing"`    // the ledger has them, the platform has not
	Unexpected int64    `json:"unexpected"` // the platform has them, the ledger has not
	Low        *float64 `json:"low"`
	High       *float64 `json:"high"`

	target ledger.Target
}

// Verify reads the ledger of a target and asks the platform for a sample of its ids, or, for
// a campaign, for their number.
func Verify(ctx context.Context, store *ledger.Store, client *rtb.Client, head ledger.Head, sample int) (found Verified, err error) {
	state, err := store.Load(ctx, head)
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, state.Close(ctx)) }()
	found.Target = head.Name
	if head.Pending != nil {
		found.Unfinished = head.Pending.Job
	}
	if head.IsSegment() {
		return found, found.ask(ctx, client, state, sample)
	}
	return found, found.countAll(ctx, store, client, state)
}

// setCount adds the number of ids, and bounds of how far it is off, if the number is known.
func (found *Verified) setCount(h *ledger.Head, count int64, low, high float64) {
	if !h.MayBeCleared() {
		found.Count, found.Low, found.High = &count, &low, &high
	}
}

func (found *Verified) write(out io.Writer) error {
	facts := terminal.Table{}
	facts.Add("ids", numberOrUnknown(found.Count))
	if found.Uncertain > 0 {
		facts.Add("uncertain", readable.Number(found.Uncertain))
	}
	facts.Add("asked", readable.Number(found.Asked))
	facts.Add("missing", readable.Number(found.Missing))
	facts.Add("unexpected", readable.Number(found.Unexpected))
	off := "unknown"
	if found.Low != nil {
		off = fmt.Sprintf("%.2f to %.2f %%", *found.Low, *found.High)
	}
	facts.Add("off by", off)
	if remark := unfinished(found.Unfinished, found.Uncertain); remark != "" {
		facts.Add("remark", remark)
	}
	return facts.Write(out)
}

// verdict returns an error if the ledger differs from the platform.
func (found *Verified) verdict() error {
	if found.Missing+found.Unexpected == 0 {
		return nil
	}
	t := found.target
	return fmt.Errorf("the ledger of %s differs from the platform: if you have an export of exactly what the platform holds now, run usher ledger adopt %s EXPORT --profile P; otherwise run usher ledger drop %s, and the next mirror sends all of its ids again", t, t, t)
}

// ask asks the platform for ids of a segment.
func (found *Verified) ask(ctx context.Context, client *rtb.Client, state *ledger.State, sample int) error {
	segment, err := client.Segments.Get(ctx, state.ID())
	if err != nil {
		return err
	}
	present, absent := newSample(sample), newSample(max(sample/4, 1))
	err = state.EachMember(ctx, func(d hashing.Digest, known bool) error {
		if known {
			present.add(d)
		} else {
			found.Uncertain++
		}
		return nil
	})
	if err == nil {
		err = state.Former(ctx, absent.add)
	}
	if err == nil {
		err = state.EachHeldOut(ctx, func(d hashing.Digest) error {
			absent.add(d)
			return nil
		})
	}
	if err != nil {
		return err
	}
	absent.addRandom()
	for _, asked := range []struct {
		digests []hashing.Digest
		want    bool
		wrong   *int64
	}{{present.digests, true, &found.Missing}, {absent.digests, false, &found.Unexpected}} {
		for _, d := range asked.digests {
			contains, err := client.Segments.Contains(ctx, state.ID(), segment.Type, d.String())
			if isNotFound(err) {
				contains, err = false, nil
			}
			if err != nil {
				return err
			}
			found.Asked++
			if contains != asked.want {
				*asked.wrong++
			}
		}
	}
	low, high := bounds(found.Missing+found.Unexpected, found.Asked, len(present.digests) == present.seen)
	found.setCount(&state.Head, int64(present.seen), low, high)
	return nil
}

// countAll compares the number of ids that a campaign targets with those that the ledger has, and
// those that it may have.
func (found *Verified) countAll(ctx context.Context, store *ledger.Store, client *rtb.Client, state *ledger.State) error {
	print, uncertain, err := store.Fingerprint(ctx, state)
	if err != nil {
		return err
	}
	targeting, err := client.Campaigns.MobileTargets(ctx, state.ID())
	if err != nil && !isNotFound(err) {
		return err
	}
	found.Uncertain, found.Asked = uncertain, print.Count
	held := int64(targeting.NumberOfIDs)
	off := held - min(max(held, print.Count), print.Count+uncertain)
	found.Unexpected, found.Missing = max(off, 0), max(-off, 0)
	low := math.Abs(float64(off)) / float64(max(print.Count, 1)) * 100
	high := max(low, 100*float64(min(off, 0)+1))
	if off == 0 {
		high = 0
	}
	found.setCount(&state.Head, print.Count, low, high)
	return nil
}

func isNotFound(err error) bool {
	var p *usher.Permanent
	return errors.As(err, &p) && p.Class == usher.NotFound
}

// bounds returns the 95 % Wilson interval of wrong of asked, in percent. If all ids were
// asked for, it is exact.
func bounds(wrong, asked int64, complete bool) (low, high float64) {
	if asked == 0 {
		return 0, 100
	}
	n, p := float64(asked), float64(wrong)/float64(asked)
	if complete {
		return 100 * p, 100 * p
	}
	const z = 1.96
	middle := p + z*z/(2*n)
	off := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	scale := 1 + z*z/n
	return 100 * max((middle-off)/scale, 0), 100 * min((middle+off)/scale, 1)
}

// sample is a random sample of digests, of at most limit.
type sample struct {
	limit   int
	seen    int
	digests []hashing.Digest
}

func newSample(limit int) *sample { return &sample{limit: limit} }

// add adds a digest to what the sample is taken of.
func (s *sample) add(d hashing.Digest) {
	s.seen++
	if len(s.digests) < s.limit {
		s.digests = append(s.digests, d)
	} else if at := mathrand.IntN(s.seen); at < s.limit { //nolint:gosec // not used for security
		s.digests[at] = d
	}
}

// addRandom adds a few digests of nothing, if the sample is not full.
func (s *sample) addRandom() {
	const few = 10
	for len(s.digests) < min(s.limit, s.seen+few) {
		var d hashing.Digest
		_, _ = rand.Read(d[:]) // it never fails
		s.digests = append(s.digests, d)
	}
}
