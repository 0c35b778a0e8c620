package feeds_test

import (
	"strings"
	"testing"

	"usher"
	"usher/internal/feeds"
)

// design is the feed file of the documentation.
const design = `feeds:
  - name: crm-daily
    watch: s3://crm-exports/daily/*.csv.gz   # or a folder of parts, or one object that is overwritten
    every: 5m                                # or schedule: "0 6 * * *"
    done_marker: _SUCCESS
    settle: 2m                               # unchanged for so long before it counts as whole (files without marker)
    job: {kind: segment.mirror, segment: "17", profile: idfa}
    expect: {by: "07:00", timezone: Europe/Berlin, min_rows: 1000000, max_change: 30%}
    after: {move: s3://crm-exports/done/}    # default: leave it
`

func TestLoad(t *testing.T) {
	t.Parallel()
	all, problems := feeds.Load("crm.yaml", []byte(design))
	if len(problems) > 0 || len(all) != 1 {
		t.Fatalf("%v, %v", all, problems)
	}
	f := all[0]
	if f.Name != "crm-daily" || f.Kind != usher.SegmentMirror || f.Job.Segment != "17" || f.Job.Profile.String() != "idfa" || f.Marker != "_SUCCESS" ||
		f.Every.String() != "5m0s" || f.Expect.MinRows != 1_000_000 || f.Expect.MaxChange != 0.3 || f.Move.URL() != "s3://crm-exports/done/" {
		t.Errorf("the feed is %+v", f)
	}
}

// Each mistake is an error at its line and column, and the message has the word.
func TestProblems(t *testing.T) {
	t.Parallel()
	const job = `, job: {kind: segment.add, segment: "17", profile: idfa}}`
	for name, c := range map[string]struct {
		text, word, hint string
		line, column     int
	}{
		"unknown key":       {"feeds:\n  - {name: a, watch: /in/, evry: 5m" + job, `"evry"`, `"every"`, 2, 28},
		"key of other tool": {"feeds:\n  - {name: a, path: /in/" + job, `"path"`, "write watch", 2, 15},
		"no name":           {"feeds:\n  - {watch: /in/" + job, `"name" is missing`, "write name:", 2, 5},
		"bad name":          {"feeds:\n  - {name: a b, watch: /in/" + job, `"a b"`, "crm-daily", 2, 12},
		"relative":          {"feeds:\n  - {name: a, watch: in/" + job, `"in/"`, "/absolute/path/", 2, 22},
		"http":              {"feeds:\n  - {name: a, watch: \"http://h/x\"" + job, "http is not accepted", "", 2, 22},
		"duration":          {"feeds:\n  - {name: a, watch: /in/, every: 5 minutes" + job, `"5 minutes"`, "write 5m", 2, 35},
		"too often":         {"feeds:\n  - {name: a, watch: /in/, every: 1ms" + job, "1ms", "1s", 2, 35},
		"both":              {"feeds:\n  - {name: a, watch: /in/, every: 5m, schedule: \"0 6 * * *\"" + job, "not both", "", 2, 39},
		"schedule":          {"feeds:\n  - {name: a, watch: /in/, schedule: daily at 6" + job, "daily at 6", `"0 6 * * *"`, 2, 38},
		"marker":            {"feeds:\n  - {name: a, watch: /in/, done_marker: a/b" + job, `"a/b"`, "_SUCCESS", 2, 41},
		"kind":              {"feeds:\n  - {name: a, watch: /in/, job: {kind: segment.mirrors, segment: \"17\", profile: idfa}}", `"segment.mirrors"`, `"segment.mirror"`, 2, 40},
		"kind without file": {"feeds:\n  - {name: a, watch: /in/, job: {kind: campaign.pause, campaign: A-x}}", `"campaign.pause"`, "segment.add", 2, 40},
		"job field":         {"feeds:\n  - {name: a, watch: /in/, job: {kind: segment.add, segmnt: \"17\", profile: idfa}}", `"segmnt"`, `"segment"`, 2, 53},
		"job id":            {"feeds:\n  - {name: a, watch: /in/, job: {kind: segment.add, id: x, segment: \"17\", profile: idfa}}", `"id"`, "", 2, 53},
		"number":            {"feeds:\n  - {name: a, watch: /in/, job: {kind: segment.add, segment: 17, profile: idfa}}", "segment must be a string", `"17"`, 2, 62},
		"no profile":        {"feeds:\n  - {name: a, watch: /in/, job: {kind: segment.add, segment: \"17\"}}", "profile is required", "", 2, 33},
		"source":            {"feeds:\n  - {name: a, watch: /in/, job: {kind: segment.add, segment: \"17\", profile: idfa, source: {columm: x}}}", `"columm"`, `"column"`, 2, 92},
		"by":                {"feeds:\n  - {name: a, watch: /in/, expect: {by: 7pm, timezone: UTC}" + job, `"7pm"`, `"07:00"`, 2, 41},
		"zone":              {"feeds:\n  - {name: a, watch: /in/, expect: {by: \"07:00\", timezone: Europe/Berln}" + job, `"Europe/Berln"`, "Europe/Berlin", 2, 60},
		"rows":              {"feeds:\n  - {name: a, watch: /in/, expect: {min_rows: many}" + job, `"many"`, "1000000", 2, 47},
		"change":            {"feeds:\n  - {name: a, watch: /in/, expect: {max_change: 30}" + job, `"30"`, "30%", 2, 49},
		"move to itself":    {"feeds:\n  - {name: a, watch: /in/*.csv, after: {move: /in/}" + job, "place that is watched", "", 2, 47},
		"move of https":     {"feeds:\n  - {name: a, watch: \"https://h/x\", after: {move: /done/}" + job, "cannot be moved", "", 2, 51},
		"twice":             {"feeds:\n  - {name: a, watch: /in/" + job + "\n  - {name: a, watch: /in/" + job, "two feeds", "", 3, 12},
		"not YAML":          {"feeds:\n\t- name: a\n", "tab", "spaces", 2, 1},
		"empty":             {"", "one document", "feeds:", 1, 1},
		"alias":             {"feeds:\n  - {name: a, watch: *x" + job, "", "", 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all, problems := feeds.Load("crm.yaml", []byte(c.text))
			if all != nil || len(problems) != 1 {
				t.Fatalf("%v, %v", all, problems)
			}
			p := problems[0]
			if !p.Error || p.File != "crm.yaml" || p.Line != c.line || c.column > 0 && p.Column != c.column || !strings.Contains(p.Message, c.word) || !strings.Contains(p.Hint, c.hint) {
				t.Errorf("%d:%d %s (%s)", p.Line, p.Column, p.Message, p.Hint)
			}
		})
	}
}

// A file that is too large is refused, and not read to its end.
func TestLimits(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"bytes": "feeds: []\n#" + strings.Repeat("x", 1<<20),
		"feeds": "feeds:\n" + strings.Repeat("  - 1\n", 1001),
	} {
		if all, problems := feeds.Load("crm.yaml", []byte(text)); all != nil || len(problems) == 0 {
			t.Errorf("%s: %v, %v", name, all, problems)
		}
	}
}

func TestOverlaps(t *testing.T) {
	t.Parallel()
	all, problems := feeds.Load("crm.yaml", []byte(`feeds:
  - {name: a, watch: /a/, job: {kind: segment.mirror, segment: "17", profile: idfa}}
  - {name: b, watch: /b/, job: {kind: segment.add, segment: "18", profile: idfa}}
  - {name: c, watch: /c/, job: {kind: segment.add, segment: "17", profile: idfa}}
  - {name: d, watch: /d/, job: {kind: segment.add, segment: "17", profile: idfa, advertiser: OTHER}}
`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	overlaps := feeds.Overlaps(all)
	if len(overlaps) != 1 || overlaps[0].Feed != "c" || overlaps[0].Line != 4 || !strings.Contains(overlaps[0].Message, "a and c both change segment 17") {
		t.Errorf("overlaps are %v", overlaps)
	}
}

// Feeds whose mirrors would except each other are refused, also in a chain.
func TestCycles(t *testing.T) {
	t.Parallel()
	all, problems := feeds.Load("crm.yaml", []byte(`feeds:
  - {name: a, watch: /a/, job: {kind: segment.mirror, segment: "17", profile: idfa, except: [segment/18], holdout: {percent: 10, key: autumn}}}
  - {name: b, watch: /b/, job: {kind: segment.mirror, segment: "18", profile: idfa, except: [campaign/C-1]}}
  - {name: c, watch: /c/, job: {kind: target.mirror, campaign: C-1, profile: idfa, except: [segment/17]}}
  - {name: d, watch: /d/, job: {kind: segment.mirror, segment: "19", profile: idfa, except: [segment/17]}}
`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if a := all[0].Job; len(a.Except) != 1 || a.Holdout == nil || a.Holdout.Percent != 10 {
		t.Errorf("the job is %+v", a)
	}
	cycles := feeds.Cycles(all)
	if len(cycles) != 3 || !strings.Contains(cycles[0].Message, "segment/17 excepts segment/18 excepts campaign/C-1 excepts segment/17") || cycles[0].Line != 2 {
		t.Errorf("cycles are %v", cycles)
	}
}
