package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"usher"
	"usher/hashing"
)

// Generation describes what a target held at one time: files of sorted digests, cut by the
// first byte of the digests.
type Generation struct {
	V int `json:"v"` // 1
	Target

	Generation  int64               `json:"generation"`
	Job         string              `json:"job"`
	Run         int                 `json:"run"`
	At          time.Time           `json:"at"`
	Profile     usher.Profile       `json:"profile"`                  // of the ids that the digests are made of
	Days        bool                `json:"days,omitempty"`           // whether the records have the day of their last upload
	Duration    int                 `json:"durationInDays,omitempty"` // after which a member of the segment lapses; 0: never, or not known
	Shards      []File              `json:"shards"`                   // 1, 16 or 256, each with an equal range of first bytes
	Fingerprint hashing.Fingerprint `json:"fingerprint"`

	// Withheld is what the last mirror has left out; nil: nothing.
	Withheld *Withheld `json:"withheld,omitempty"`

	// Memory is how the last good export was read that made the target equal to it. nil: there
	// was none.
	Memory *usher.Memory `json:"memory,omitempty"`
}

// shardsFor returns the number of files of a generation.
func shardsFor(digests int64) int {
	switch {
	case digests <= 1<<20:
		return 1
	case digests <= 1<<24:
		return 16
	}
	return firstBytes
}

func (g *Generation) valid() bool {
	n := len(g.Shards)
	return g.V == 1 && (n == 0 || n == 1 || n == 16 || n == firstBytes)
}

// shardsOf returns the files with digests whose first byte is in from..to-1.
func (g *Generation) shardsOf(from, to int) []File {
	if len(g.Shards) == 0 {
		return nil
	}
	each := firstBytes / len(g.Shards)
	return g.Shards[from/each : (to+each-1)/each]
}

// generationFolder is the folder of a generation that a run of a job makes. Another attempt
// to make the generation with this number has another folder.
func generationFolder(t Target, generation int64, job string, run int) string {
	return fmt.Sprintf("%sg/%010d-%s-%d/", t.folder(), generation, job, run)
}

// generationOf reads the manifest of the current generation.
func (s *Store) generationOf(ctx context.Context, h *Head) (*Generation, error) {
	if h.Generation == 0 {
		return &Generation{V: 1, Target: h.Target}, nil
	}
	return s.readGeneration(ctx, h.Manifest)
}

func (s *Store) readGeneration(ctx context.Context, manifest File) (*Generation, error) {
	var g Generation
	if err := s.readJSON(ctx, manifest, &g); err != nil {
		return nil, err
	}
	if !g.valid() {
		return nil, &DamagedError{manifest.Name, "is no manifest of usher"}
	}
	return &g, nil
}

// Generation returns a generation of a target that is kept.
func (s *Store) Generation(ctx context.Context, t Target, number int64) (*Generation, error) {
	all, err := s.Generations(ctx, t)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if all[i].Generation == number {
			return &all[i], nil
		}
	}
	return nil, usher.Refuse(usher.NotFound, fmt.Sprintf("usher ledger show %s lists those that are kept", t), "read generation %d of %s: it is not kept", number, t)
}

// Memory returns how the last good export of a target was read, or nil if there was none.
func (s *Store) Memory(ctx context.Context, h *Head) (*usher.Memory, error) {
	g, err := s.generationOf(ctx, h)
	if err != nil || g.Memory == nil || g.Memory.Job == "" {
		return nil, err
	}
	return g.Memory, nil
}

const manifestName = "manifest.json"

// Generations returns the generations of a target that are kept, oldest first.
func (s *Store) Generations(ctx context.Context, t Target) ([]Generation, error) {
	var all []Generation
	err := s.list(ctx, t.folder()+"g/", func(o *listed) error {
		if !strings.HasSuffix(o.Key, "/"+manifestName) {
			return nil
		}
		g, err := s.readGeneration(ctx, File{Name: o.Key})
		switch {
		case errors.As(err, new(*DamagedError)):
			return nil // a damaged old generation is no reason not to list the others
		case err != nil:
			return err
		case g.Target == t:
			all = append(all, *g)
		}
		return nil
	})
	return all, err
}
