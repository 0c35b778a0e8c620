package ledger

import (
	"context"
	"fmt"

	"usher"
)

// Comparison describes the comparison of the digests that a target shall hold with those in
// its ledger. It is the same on all workers of a job.
type Comparison struct {
	Job  string `json:"job"`
	Run  int    `json:"run"`
	Head Head   `json:"head"`
	// Revision is the revision of the head. The comparison is valid until the head changes.
	Revision uint64 `json:"revision"`

	// Sources are what changes the generation of Head, so that the deltas are merged only once.
	// If there are none, each group looks for them.
	Sources []source `json:"sources,omitempty"`

	Runs   []int       `json:"runs,omitempty"`   // number of runs of each part of the export
	Wanted *Generation `json:"wanted,omitempty"` // not nil: its digests are wanted, and not those of runs
	Adopt  bool        `json:"adopt,omitempty"`  // the target holds the wanted digests, so nothing is to be changed

	Except  []Exception    `json:"except,omitempty"`  // their members are not wanted
	Kept    []Excepted     `json:"kept,omitempty"`    // that the wanted digests are without already, instead of Except
	Holdout *usher.Holdout `json:"holdout,omitempty"` // which digests are not wanted; nil: it keeps none out

	Shards int `json:"shards"` // of the new generation
	Groups int `json:"groups"` // pieces in which the comparison is done

	Today    Day `json:"today"`
	Duration int `json:"duration,omitempty"` // days until a member lapses; 0: never
	Refresh  int `json:"refresh,omitempty"`  // a member that lapses in fewer days is uploaded again
}

// ReadStep is the step whose Runs are compared.
const ReadStep = "read"

// maxGroups limits the number of pieces of a comparison.
const maxGroups = 16

// Cut decides how the comparison is cut, for a number of wanted digests.
func (c *Comparison) Cut(digests int64) {
	c.Shards = shardsFor(digests)
	c.Groups = min(c.Shards, maxGroups)
}

// Counts are the results of a comparison.
type Counts struct {
	Wanted     int64 `json:"wanted"`     // distinct digests that the target shall hold
	Suppressed int64 `json:"suppressed"` // digests that were suppressed since they were read
	Members    int64 `json:"members"`    // digests that the target holds, or may hold
	Added      int64 `json:"added"`
	Refreshed  int64 `json:"refreshed"`
	Unchanged  int64 `json:"unchanged"`
	Removed    int64 `json:"removed"`
	Uncertain  int64 `json:"uncertain,omitempty"` // of Added, those that may have been members
	Lapsed     int64 `json:"lapsed,omitempty"`    // of Refreshed, those that were no members any more
	Leaving    int64 `json:"leaving,omitempty"`   // of those that are removed, the ones that are in the export, but withheld
}

func (c *Counts) add(more Counts) {
	c.Wanted += more.Wanted
	c.Suppressed += more.Suppressed
	c.Members += more.Members
	c.Added += more.Added
	c.Refreshed += more.Refreshed
	c.Unchanged += more.Unchanged
	c.Removed += more.Removed
	c.Uncertain += more.Uncertain
	c.Lapsed += more.Lapsed
	c.Leaving += more.Leaving
}

// Differences are the results of a comparison, or of a group of it. The lists of files are in
// the order of their digests.
type Differences struct {
	Counts
	Withheld usher.Counts `json:"withheld,omitempty"` // wanted digests that were left out, by reason

	HeldOut []File `json:"heldOut,omitempty"` // those that the holdout has kept out
	Shards  []File `json:"shards"`            // the new generation
	Adds    []File `json:"adds"`              // the digests to upload, also those to refresh
	Removes []File `json:"removes"`           // the digests to remove
}

func (c *Comparison) generationFolder() string {
	return generationFolder(c.Head.Target, c.Head.Generation+1, c.Job, c.Run)
}

// group returns the range of first bytes of a group.
func (c *Comparison) group(number int) (from, to int) {
	each := firstBytes / c.Groups
	return number * each, (number + 1) * each
}

// comparisonName is the name of the comparison in the staging of its job.
const comparisonName = "compare"

func (c *Comparison) staging(s *Store) *Staging { return s.Staging(c.Head.Target, c.Job, c.Run) }

// WriteComparison merges the deltas of a comparison's target if they are many, and stores the
// comparison for the workers that do its groups.
func (s *Staging) WriteComparison(ctx context.Context, c *Comparison) (err error) {
	g := &gathering{store: s.store, folder: s.folder + "deltas/"}
	if c.Sources, err = g.sources(ctx, &c.Head); err != nil {
		return err
	}
	if err := s.pin(ctx, c.Except); err != nil {
		return err
	}
	return s.Write(ctx, comparisonName, c)
}

// ReadComparison returns a comparison that WriteComparison has stored.
func (s *Staging) ReadComparison(ctx context.Context) (*Comparison, error) {
	var c Comparison
	if err := s.Read(ctx, comparisonName, &c); err != nil {
		return nil, err
	}
	if c.Groups < 1 || c.Groups > maxGroups || firstBytes%c.Groups != 0 || c.Shards < c.Groups || firstBytes%c.Shards != 0 ||
		!c.Head.Valid() || c.Head.Target != s.target || c.Job != s.job || c.Run != s.run {
		return nil, &DamagedError{s.folder + comparisonName + ".json", "is no comparison of usher"}
	}
	return &c, nil
}

func resultName(group int) string { return fmt.Sprintf("compared-%02d", group) }

// Differences returns the results of all groups of a comparison.
func (s *Store) Differences(ctx context.Context, c *Comparison) (*Differences, error) {
	all := &Differences{}
	for group := range c.Groups {
		var d Differences
		if err := c.staging(s).Read(ctx, resultName(group), &d); err != nil {
			return nil, err
		}
		all.add(d.Counts)
		for reason, n := range d.Withheld {
			if all.Withheld == nil {
				all.Withheld = usher.Counts{}
			}
			all.Withheld[reason] += n
		}
		all.HeldOut = append(all.HeldOut, d.HeldOut...)
		all.Shards = append(all.Shards, d.Shards...)
		all.Adds = append(all.Adds, d.Adds...)
		all.Removes = append(all.Removes, d.Removes...)
	}
	return all, nil
}

// Staging is the folder of the files that a run of a job needs until it ends.
type Staging struct {
	store  *Store
	folder string
	target Target
	job    string
	run    int
}

// Staging returns the folder of a run of a job.
func (s *Store) Staging(t Target, job string, run int) *Staging {
	return &Staging{store: s, folder: fmt.Sprintf("%ss/%s-%d/", t.folder(), job, run), target: t, job: job, run: run}
}

// Write stores a value.
func (s *Staging) Write(ctx context.Context, name string, v any) error {
	_, err := s.store.writeJSON(ctx, s.folder+name+".json", v)
	return err
}

// Read reads a value that Write has stored.
func (s *Staging) Read(ctx context.Context, name string, v any) error {
	return s.store.readJSON(ctx, File{Name: s.folder + name + ".json"}, v)
}

// Runs returns the Runs with the digests of a part of a step. The first written files
// exist from an earlier attempt.
func (s *Staging) Runs(step string, part, written int) *Runs {
	return s.store.newRuns(s.runs(step, part), written, 0)
}

func (s *Staging) runs(step string, part int) string {
	return fmt.Sprintf("%s%s-%05d", s.folder, step, part)
}

// Files returns the files of Runs, with the number of their digests.
func (s *Staging) Files(ctx context.Context, step string, part, written int) ([]File, error) {
	var files []File
	for i := range written {
		f := File{Name: runName(s.runs(step, part), i)}
		t, err := s.store.trailerOf(ctx, f)
		if err != nil {
			return nil, err
		}
		f.Size, f.Fingerprint.Count = t.size(), t.count()
		files = append(files, f)
	}
	return files, nil
}
