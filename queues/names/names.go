// Package names keeps what the platform has said of segments, so that lists call them by their names
// without asking it. Workers note the segment of each job, and what lists all segments notes all.
package names

import (
	"context"
	"encoding/json"
	"maps"
	"strings"
	"sync"
	"time"

	"usher"
	"usher/queues/store"
)

// Segment is what the platform says of a segment.
type Segment struct {
	Name string `json:"name"`
	Type string `json:"type"`           // such as IDFA
	Days int64  `json:"days,omitempty"` // after which a user leaves it; 0: never
}

// Names are the names in a store. It is safe for concurrent use.
type Names struct {
	bucket *store.Bucket

	mu    sync.Mutex
	noted map[string]map[string]Segment // by this process, by advertiser and id
	known Known                         // nil: never read
	read  time.Time                     // when known was read
}

// New returns the names in a store.
func New(s *store.Store) *Names {
	return &Names{bucket: s.Rules, noted: map[string]map[string]Segment{}}
}

// Prefix is the first token of the keys of names.
const Prefix = "names"

// Value is the value of a key: the segments of an advertiser.
type Value struct {
	Advertiser string             `json:"advertiser"`
	Usual      bool               `json:"usual"` // jobs that name no advertiser are for this one
	Segments   map[string]Segment `json:"segments"`
}

// Valid reports whether usher can have written the value.
func (v *Value) Valid() bool { return v.Advertiser != "" }

// Note notes segments of an advertiser, by their ids. usual says that jobs that name no advertiser are for
// this one. What is noted already is not written again.
func (n *Names) Note(ctx context.Context, advertiser string, usual bool, segments map[string]Segment) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if contains(n.noted[advertiser], segments) {
		return nil
	}
	err := store.Change(ctx, n.bucket, Prefix+"."+store.Token(advertiser), func(v *Value, found bool) bool {
		if found && v.Usual == usual && contains(v.Segments, segments) {
			return false
		}
		v.Advertiser, v.Usual = advertiser, usual
		if v.Segments == nil {
			v.Segments = map[string]Segment{}
		}
		maps.Copy(v.Segments, segments)
		return true
	})
	if err == nil {
		n.known = nil
		if n.noted[advertiser] == nil {
			n.noted[advertiser] = map[string]Segment{}
		}
		maps.Copy(n.noted[advertiser], segments)
	}
	return err
}

// contains reports whether all of some segments are among others.
func contains(all, some map[string]Segment) bool {
	for id, segment := range some {
		if known, found := all[id]; !found || known != segment {
			return false
		}
	}
	return true
}

// knownAge is the age after which the names are read again.
const knownAge = 5 * time.Second

// Known returns the segments that are known. If they cannot be read, they are those that were read last: names
// are never worth an error.
func (n *Names) Known(ctx context.Context) Known { return n.notOlder(ctx, knownAge) }

// Latest is Known, read now, for a name that Known lacks.
func (n *Names) Latest(ctx context.Context) Known { return n.notOlder(ctx, 0) }

func (n *Names) notOlder(ctx context.Context, age time.Duration) Known {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.known != nil && time.Since(n.read) < age {
		return n.known
	}
	k := Known{}
	err := store.EachValue(ctx, n.bucket, Prefix+".*", func(_ *store.Entry, v *Value) {
		k[v.Advertiser] = v.Segments
		if v.Usual {
			k[""] = v.Segments
		}
	})
	if err == nil {
		n.known, n.read = k, time.Now()
	}
	return n.known
}

// Known are segments, by advertiser and id. Those of jobs that name no advertiser are those of "".
type Known map[string]map[string]Segment

// Name returns the name of a target, segment 4 or segment/4, or "".
func (k Known) Name(advertiser, target string) string {
	id, found := strings.CutPrefix(target, "segment")
	if !found || id == "" || id[0] != ' ' && id[0] != '/' {
		return ""
	}
	return k[advertiser][id[1:]].Name
}

// OfJob returns the name of the segment that a job changes, or "".
func (k Known) OfJob(kind usher.Kind, data json.RawMessage) string {
	var job struct {
		Advertiser string `json:"advertiser"`
		Segment    string `json:"segment"`
	}
	if kind.Family() != "segment" || json.Unmarshal(data, &job) != nil {
		return ""
	}
	return k[job.Advertiser][job.Segment].Name
}
