package ledger

import (
	"fmt"
	"net/url"
	"strings"

	"usher"
)

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
