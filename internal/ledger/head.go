package ledger

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"usher"
	"usher/hashing"
)

// Head says what is the current state of a target's ledger. It is a key in a bucket of NATS
// and changed by compare-and-set, so that a generation is visible only as a whole.
type Head struct {
	V int `json:"v"` // 1
	Target

	Generation  int64               `json:"generation"` // 1, 2, …; 0: none is complete yet
	Manifest    File                `json:"manifest"`
	Fingerprint hashing.Fingerprint `json:"fingerprint"` // of the generation
	At          time.Time           `json:"at"`          // when the generation became the current one
	Job         string              `json:"job"`
	Run         int                 `json:"run"`

	// Order is the order of the last mirror. An older one is superseded.
	Order uint64 `json:"order,omitempty"`

	// Epoch counts the jobs that ran alone on the target. Deltas of older epochs than Since are
	// in the generation; the others are not.
	Epoch   int64  `json:"epoch"`
	EpochBy string `json:"epochBy,omitempty"` // the run of the job that began the epoch
	Since   int64  `json:"since"`

	// Deltas are the deltas that are complete and not in the generation: for the job that
	// wrote them, the number of files of each of its parts. A file that is missing is damage.
	Deltas map[string][]int `json:"deltas,omitempty"`
	// Noted are files with further Deltas: a head is a small value.
	Noted []Noted `json:"noted,omitempty"`

	// Pending is a job that has begun to change the target, and has not written what it did.
	Pending *Pending `json:"pending,omitempty"`
}

// Pending is a job that has begun to change a target. The target's state is known again when
// the job ends as it should, or after the next mirror.
type Pending struct {
	Job   string `json:"job"`
	Run   int    `json:"run"`
	Epoch int64  `json:"epoch"` // that the job began

	// Lists are digests that may be members or not.
	Lists []File `json:"lists,omitempty"`
	// Cleared means that all other members may have been removed.
	Cleared bool `json:"cleared,omitempty"`
}

// Restored is the job of Pending after a backup of the head was restored.
const Restored = "usher restore"

// lostEpochs is more than the number of epochs that can have begun after the backup, whose files
// may still be there.
const lostEpochs = 1_000_000

// Doubt records that the head was restored from a backup: what jobs have changed since is not
// known. So the next mirror sends all ids of its export, and removes all others that the ledger
// has.
func (h *Head) Doubt() {
	p := &Pending{Job: Restored, Run: 1, Epoch: h.Epoch + lostEpochs, Cleared: true}
	if h.Pending != nil {
		p.Lists = h.Pending.Lists
	}
	h.Epoch, h.EpochBy, h.Pending = p.Epoch, Restored, p
}

// MayBeCleared reports whether a pending job may have removed all members, so that their number is
// not known.
func (h *Head) MayBeCleared() bool { return h.Pending != nil && h.Pending.Cleared }

// Noted is a file with deltas that are complete, as Head.Deltas has them.
type Noted struct {
	File

	Epoch int64 `json:"epoch"` // the greatest of the deltas
}

// Valid reports whether the head is one that usher writes.
func (h *Head) Valid() bool {
	return h.V == 1 && h.Name != "" && h.Generation >= 0 && h.Epoch >= 0 && h.Since <= h.Epoch &&
		(h.Generation == 0) == (h.Manifest.Name == "")
}

// Heads stores the heads of targets, and that of the suppression list.
type Heads interface {
	// Head returns the head of a target and its revision, or ErrNone with the revision of
	// the key, which is 0 if it never existed. A head that cannot be read is a
	// DamagedError, with its revision.
	Head(ctx context.Context, t Target) (Head, uint64, error)
	// SetHead writes the head if its revision is still the given one, otherwise it returns
	// ErrConflict.
	SetHead(ctx context.Context, h Head, revision uint64) (uint64, error)
	// DropHead removes the head of a target if its revision is still the given one, otherwise it
	// returns ErrConflict.
	DropHead(ctx context.Context, t Target, revision uint64) error
	// EachHead calls visit with all heads; damaged is the key of one that cannot be read.
	EachHead(ctx context.Context, visit func(h Head, damaged string)) error

	// Suppression returns the head of the list and its revision, or ErrNone if the list has
	// no head. A head that cannot be read is a DamagedError.
	Suppression(ctx context.Context) (SuppressionHead, uint64, error)
	// SetSuppression writes the head if its revision is still the given one, otherwise it
	// returns ErrConflict.
	SetSuppression(ctx context.Context, h SuppressionHead, revision uint64) error
}

// Head returns the head of a target and its revision. It returns ErrNone if there is none.
func (s *Store) Head(ctx context.Context, t Target) (Head, uint64, error) {
	return s.heads.Head(ctx, t)
}

// Target is a segment or the mobile device targeting of a campaign.
type Target struct {
	Advertiser string `json:"advertiser"`
	Name       string `json:"target"` // segment/17, campaign/CODE
}

// TargetOf returns the target of a job on a segment or a campaign's targeting.
func TargetOf(advertiser string, k usher.Kind, j *usher.Job) Target {
	if j.Advertiser != "" {
		advertiser = j.Advertiser
	}
	if k.Family() == "segment" {
		return Target{advertiser, "segment/" + j.Segment}
	}
	return Target{advertiser, "campaign/" + j.Campaign}
}

// ParseTarget reads the name of a target as people write it.
func ParseTarget(advertiser, name string) (Target, error) {
	kind, id, found := strings.Cut(name, "/")
	if !found || id == "" || strings.Contains(id, "/") || id == "." || id == ".." || kind != "segment" && kind != "campaign" {
		return Target{}, fmt.Errorf("read target %q: a target is segment/ID or campaign/CODE, such as segment/17", name)
	}
	return Target{advertiser, name}, nil
}

// Key identifies the target in a bucket of NATS.
func (t Target) Key() string { return t.Advertiser + " " + t.Name }

// ID returns the segment's id or the campaign's code.
func (t Target) ID() string {
	_, id, _ := strings.Cut(t.Name, "/")
	return id
}

// IsSegment reports whether the target is a segment.
func (t Target) IsSegment() bool { return strings.HasPrefix(t.Name, "segment/") }

// String returns the target as people write it.
func (t Target) String() string { return t.Name }

// folder is the folder of the target's files.
func (t Target) folder() string {
	kind, id, _ := strings.Cut(t.Name, "/")
	return url.PathEscape(t.Advertiser) + "/" + kind + "/" + url.PathEscape(id) + "/"
}
