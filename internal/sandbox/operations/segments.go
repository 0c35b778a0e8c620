package operations

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"usher/hashing"
	"usher/internal/rtb"
	"usher/internal/sandbox/store"
)

// segmentTypes are the documented types of segments.
var segmentTypes = []string{"INTELLI_PIXEL", "EMAIL_OPEN", "EMAIL_CLICK", "VIEW", "CART", "PURCHASE", rtb.TypeIDFA, rtb.TypeAndroidID}

func (s *State) createSegment(c *Call, in rtb.NewSegment) (rtb.SegmentID, error) {
	if err := checkSegment(&in.Segment); err != nil {
		return rtb.SegmentID{}, err
	}
	number, counted := s.next("segment")
	id := strconv.FormatInt(number, 10)
	in.Segment.ID = id
	return rtb.SegmentID{ID: id}, s.store.Commit(counted, s.segments.Put(id, segment{c.Advertiser, in.Segment}))
}

// checkSegment checks a definition and fills in its defaults.
func checkSegment(s *rtb.Segment) error {
	switch {
	case strings.TrimSpace(s.Name) == "":
		return Invalid("name", "is required")
	case s.Type == "":
		return Invalid("type", "is required")
	case !slices.Contains(segmentTypes, s.Type):
		return Invalid("type", "must be one of "+strings.Join(segmentTypes, ", "))
	case s.Status != "" && s.Status != rtb.Active && s.Status != rtb.Inactive:
		return Invalid("status", "must be ACTIVE or INACTIVE")
	case s.DurationInDays < 0:
		return Invalid("durationInDays", "must not be negative")
	case s.Type == "INTELLI_PIXEL" && s.IntelliPixelPath == "":
		return Invalid("intelliPixelPath", "is required when type is INTELLI_PIXEL")
	}
	if s.Status == "" {
		s.Status = rtb.Active
	}
	s.HTMLScript = ""
	return nil
}

// findSegment returns a segment, or an error if it does not exist or the caller has no access
// to it.
func (s *State) findSegment(c *Call, id string) (segment, error) {
	row, found := s.segments.Get(id)
	if !found {
		return segment{}, Unknown("segment", id)
	}
	return row, s.authorize(c, row.Advertiser)
}

// record returns the segment in the form of answers. Pixel types have a script.
func (row segment) record() rtb.Segment {
	if row.Segment.Type != rtb.TypeIDFA && row.Segment.Type != rtb.TypeAndroidID {
		row.Segment.HTMLScript = fmt.Sprintf(`<script async src="https://pixel.example.com/segment/%s.js"></script>`, row.Segment.ID)
	}
	return row.Segment
}

func (s *State) getSegment(c *Call, in rtb.SegmentPath) (rtb.SegmentAnswer, error) {
	row, err := s.findSegment(c, in.SegmentID)
	return rtb.SegmentAnswer{Segment: row.record()}, err
}

func (s *State) listSegments(c *Call, _ rtb.Nothing) (rtb.SegmentsAnswer, error) {
	return s.segmentsWhere(c, func(rtb.Segment) bool { return true }), nil
}

func (s *State) segmentsByType(c *Call, in rtb.SegmentTypePath) (rtb.SegmentsAnswer, error) {
	if !slices.Contains(segmentTypes, in.SegmentType) {
		return rtb.SegmentsAnswer{}, Invalid("segmentType", "must be one of "+strings.Join(segmentTypes, ", "))
	}
	return s.segmentsWhere(c, func(s rtb.Segment) bool { return s.Type == in.SegmentType }), nil
}

// segmentsWhere lists the matching segments of the token's advertiser in the
// order in which they were created.
func (s *State) segmentsWhere(c *Call, match func(rtb.Segment) bool) rtb.SegmentsAnswer {
	list := []rtb.Segment{}
	for _, row := range s.segments.All() {
		if row.Advertiser == c.Advertiser && match(row.Segment) {
			list = append(list, row.record())
		}
	}
	slices.SortFunc(list, func(a, b rtb.Segment) int { return compareNumbers(a.ID, b.ID) })
	return rtb.SegmentsAnswer{Segments: list}
}

// compareNumbers compares decimal numbers without leading zeros.
func compareNumbers(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

func (s *State) updateSegment(c *Call, in rtb.SegmentUpdate) (rtb.Nothing, error) {
	row, err := s.findSegment(c, in.SegmentID)
	if err != nil {
		return rtb.Nothing{}, err
	}
	if err := checkSegment(&in.Segment); err != nil {
		return rtb.Nothing{}, err
	}
	in.Segment.ID = in.SegmentID
	return rtb.Nothing{}, s.store.Commit(s.segments.Put(in.SegmentID, segment{row.Advertiser, in.Segment}))
}

func (s *State) deleteSegment(c *Call, in rtb.SegmentPath) (rtb.Nothing, error) {
	if _, err := s.findSegment(c, in.SegmentID); err != nil {
		return rtb.Nothing{}, err
	}
	changes := []store.Change{s.segments.Drop(in.SegmentID), store.ClearSet(segmentSet(in.SegmentID))}
	for key, t := range s.targets.All() {
		if t.Segment == in.SegmentID {
			changes = append(changes, s.targets.Drop(key), store.ClearSet(key))
		}
	}
	return rtb.Nothing{}, s.store.Commit(changes...)
}

// segmentUser returns the digest in the path of an operation on one user.
func (s *State) segmentUser(c *Call, in rtb.SegmentUser) (d hashing.Digest, err error) {
	row, err := s.findSegment(c, in.SegmentID)
	if err != nil {
		return d, err
	}
	if in.SegmentType != rtb.TypeIDFA && in.SegmentType != rtb.PathAndroidID {
		return d, Invalid("segmentType", "must be IDFA or AID")
	}
	wanted := map[string]string{rtb.TypeIDFA: rtb.TypeIDFA, rtb.TypeAndroidID: rtb.PathAndroidID}[row.Segment.Type]
	if wanted != "" && in.SegmentType != wanted {
		return d, Invalid("segmentType", fmt.Sprintf("must be %s for segment %s of type %s", wanted, in.SegmentID, row.Segment.Type))
	}
	d, ok := ParseDigest([]byte(in.UserID))
	if !ok {
		return d, Invalid("userId", "must be an MD5 of 32 hex characters")
	}
	return d, nil
}

func (s *State) segmentContains(c *Call, in rtb.SegmentUser) (rtb.ContainsAnswer, error) {
	d, err := s.segmentUser(c, in)
	if err == nil && s.store.FingerprintsOnly() {
		err = Refused(CodeNoMembers, "this sandbox stores fingerprints of its sets and no members: start it without --members fingerprint")
	}
	return rtb.ContainsAnswer{Contains: err == nil && s.store.Contains(segmentSet(in.SegmentID), d)}, err
}

func (s *State) addSegmentUser(c *Call, in rtb.SegmentUser) (rtb.Nothing, error) {
	return s.changeSegmentUser(c, in, store.AddMembers)
}

func (s *State) removeSegmentUser(c *Call, in rtb.SegmentUser) (rtb.Nothing, error) {
	return s.changeSegmentUser(c, in, store.RemoveMembers)
}

func (s *State) changeSegmentUser(c *Call, in rtb.SegmentUser, change func(set string, digests []byte) store.Change) (rtb.Nothing, error) {
	d, err := s.segmentUser(c, in)
	if err != nil {
		return rtb.Nothing{}, err
	}
	return rtb.Nothing{}, s.store.Commit(change(segmentSet(in.SegmentID), d[:]))
}

func (s *State) uploadSegment(c *Call, in rtb.SegmentUpload) (rtb.Nothing, error) {
	if _, err := s.findSegment(c, in.SegmentID); err != nil {
		return rtb.Nothing{}, err
	}
	return rtb.Nothing{}, s.store.Commit(s.addIDs(segmentSet(in.SegmentID), c.IDs))
}
