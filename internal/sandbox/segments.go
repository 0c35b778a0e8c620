package sandbox

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"usher/internal/rtb"
)

// segmentTypes are the interface's.
var segmentTypes = []string{"INTELLI_PIXEL", "EMAIL_OPEN", "EMAIL_CLICK", "VIEW", "CART", "PURCHASE", rtb.TypeIDFA, rtb.TypeAndroidID}

func segmentMembers(id string) string { return "segment/" + id }

func (w *world) createSegment(c *call, in rtb.NewSegment) (rtb.SegmentID, error) {
	if err := checkSegment(&in.Segment); err != nil {
		return rtb.SegmentID{}, err
	}
	number, counted := w.next("segment")
	id := strconv.FormatInt(number, 10)
	in.Segment.ID = id
	return rtb.SegmentID{ID: id}, w.commit(nil, counted, w.segments.put(id, segment{c.advertiser, in.Segment}))
}

// checkSegment checks a definition and fills in its defaults.
func checkSegment(s *rtb.Segment) error {
	switch {
	case strings.TrimSpace(s.Name) == "":
		return invalid("name", "is required")
	case s.Type == "":
		return invalid("type", "is required")
	case !slices.Contains(segmentTypes, s.Type):
		return invalid("type", "must be one of "+strings.Join(segmentTypes, ", "))
	case s.Status != "" && s.Status != rtb.Active && s.Status != rtb.Inactive:
		return invalid("status", "must be ACTIVE or INACTIVE")
	case s.DurationInDays < 0:
		return invalid("durationInDays", "must not be negative")
	case s.Type == "INTELLI_PIXEL" && s.IntelliPixelPath == "":
		return invalid("intelliPixelPath", "is required when type is INTELLI_PIXEL")
	}
	if s.Status == "" {
		s.Status = rtb.Active
	}
	s.HTMLScript = ""
	return nil
}

// ownSegment finds a segment that the caller may reach.
func (w *world) ownSegment(c *call, id string) (segment, error) {
	row, found := w.segments.rows[id]
	if !found {
		return segment{}, unknown("segment", id)
	}
	return row, w.reach(c, row.Advertiser)
}

// shown is the segment as reads return it.
func (s segment) shown() rtb.Segment {
	if s.Segment.Type != rtb.TypeIDFA && s.Segment.Type != rtb.TypeAndroidID {
		s.Segment.HTMLScript = fmt.Sprintf(`<script async src="https://pixel.example.com/segment/%s.js"></script>`, s.Segment.ID)
	}
	return s.Segment
}

func (w *world) getSegment(c *call, in rtb.SegmentPath) (rtb.SegmentAnswer, error) {
	row, err := w.ownSegment(c, in.SegmentID)
	return rtb.SegmentAnswer{Segment: row.shown()}, err
}

func (w *world) listSegments(c *call, _ rtb.Nothing) (rtb.SegmentsAnswer, error) {
	return w.segmentsWhere(c, func(rtb.Segment) bool { return true }), nil
}

func (w *world) segmentsByType(c *call, in rtb.SegmentTypePath) (rtb.SegmentsAnswer, error) {
	if !slices.Contains(segmentTypes, in.SegmentType) {
		return rtb.SegmentsAnswer{}, invalid("segmentType", "must be one of "+strings.Join(segmentTypes, ", "))
	}
	return w.segmentsWhere(c, func(s rtb.Segment) bool { return s.Type == in.SegmentType }), nil
}

// segmentsWhere lists the segments of the token's advertiser in the order in
// which they were made.
func (w *world) segmentsWhere(c *call, keep func(rtb.Segment) bool) rtb.SegmentsAnswer {
	list := []rtb.Segment{}
	for _, row := range w.segments.rows {
		if row.Advertiser == c.advertiser && keep(row.Segment) {
			list = append(list, row.shown())
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

func (w *world) updateSegment(c *call, in rtb.SegmentUpdate) (rtb.Nothing, error) {
	row, err := w.ownSegment(c, in.SegmentID)
	if err != nil {
		return rtb.Nothing{}, err
	}
	if err := checkSegment(&in.Segment); err != nil {
		return rtb.Nothing{}, err
	}
	in.Segment.ID = in.SegmentID
	return rtb.Nothing{}, w.commit(nil, w.segments.put(in.SegmentID, segment{row.Advertiser, in.Segment}))
}

func (w *world) deleteSegment(c *call, in rtb.SegmentPath) (rtb.Nothing, error) {
	if _, err := w.ownSegment(c, in.SegmentID); err != nil {
		return rtb.Nothing{}, err
	}
	changes := []change{w.segments.drop(in.SegmentID), {Do: doClear, Key: segmentMembers(in.SegmentID)}}
	for key, t := range w.targets.rows {
		if t.Segment == in.SegmentID {
			changes = append(changes, w.targets.drop(key), change{Do: doClear, Key: key})
		}
	}
	return rtb.Nothing{}, w.commit(nil, changes...)
}

// segmentUser checks the path of a user's operation.
func (w *world) segmentUser(c *call, in rtb.SegmentUser) (digest, error) {
	var d digest
	row, err := w.ownSegment(c, in.SegmentID)
	if err != nil {
		return d, err
	}
	if in.SegmentType != rtb.TypeIDFA && in.SegmentType != rtb.PathAndroidID {
		return d, invalid("segmentType", "must be IDFA or AID")
	}
	wanted := map[string]string{rtb.TypeIDFA: rtb.TypeIDFA, rtb.TypeAndroidID: rtb.PathAndroidID}[row.Segment.Type]
	if wanted != "" && in.SegmentType != wanted {
		return d, invalid("segmentType", fmt.Sprintf("must be %s for segment %s of type %s", wanted, in.SegmentID, row.Segment.Type))
	}
	if len(in.UserID) != 32 || !decode(&d, []byte(in.UserID)) {
		return d, invalid("userId", "must be an MD5 of 32 hex characters")
	}
	return d, nil
}

func (w *world) segmentContains(c *call, in rtb.SegmentUser) (rtb.ContainsAnswer, error) {
	d, err := w.segmentUser(c, in)
	if err == nil {
		err = w.noMembers()
	}
	return rtb.ContainsAnswer{Contains: err == nil && w.has(segmentMembers(in.SegmentID), d)}, err
}

func (w *world) addSegmentUser(c *call, in rtb.SegmentUser) (rtb.Nothing, error) {
	return rtb.Nothing{}, w.changeSegmentUser(c, in, doAdd)
}

func (w *world) removeSegmentUser(c *call, in rtb.SegmentUser) (rtb.Nothing, error) {
	return rtb.Nothing{}, w.changeSegmentUser(c, in, doRemove)
}

func (w *world) changeSegmentUser(c *call, in rtb.SegmentUser, do string) error {
	d, err := w.segmentUser(c, in)
	if err != nil {
		return err
	}
	return w.commit(d[:], change{Do: do, Key: segmentMembers(in.SegmentID)})
}

func (w *world) uploadSegment(c *call, in rtb.SegmentUpload) (rtb.Nothing, error) {
	if _, err := w.ownSegment(c, in.SegmentID); err != nil {
		return rtb.Nothing{}, err
	}
	return rtb.Nothing{}, w.commit(c.upload.digests, c.upload.added(segmentMembers(in.SegmentID)))
}
