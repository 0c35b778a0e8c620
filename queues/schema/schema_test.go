package schema_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"usher"
	"usher/queues/schema"
)

// schemaDocument is the part of a schema that the tests read.
type schemaDocument struct {
	ID          string                     `json:"$id"`
	Description string                     `json:"description"`
	Properties  map[string]json.RawMessage `json:"properties"`
	Examples    []json.RawMessage          `json:"examples"`
	Defs        map[string]json.RawMessage `json:"$defs"`
}

func document(t *testing.T, s *schema.Schemas, kind usher.Kind) schemaDocument {
	t.Helper()
	text, ok := s.Text(kind)
	if !ok {
		t.Fatalf("there is no schema of %s", kind)
	}
	var d schemaDocument
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// decode decodes body into a Job and refuses unknown fields.
func decode(body []byte) (usher.Job, error) {
	var job usher.Job
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	return job, d.Decode(&job)
}

func TestEveryExampleIsAJob(t *testing.T) {
	t.Parallel()
	s := schema.Load()
	for _, kind := range usher.Kinds() {
		d := document(t, s, kind)
		shown := map[string]bool{}
		for i, example := range d.Examples {
			if issues := s.Validate(kind, example); issues != nil {
				t.Errorf("%s: example %d: %v", kind, i, issues)
			}
			job, err := decode(example)
			if err != nil {
				t.Errorf("%s: example %d is not a Job: %v", kind, i, err)
			}
			// A Job keeps all fields that the schema accepts.
			again, err := json.Marshal(job)
			if err != nil {
				t.Fatal(err)
			}
			if issues := s.Validate(kind, again); issues != nil {
				t.Errorf("%s: example %d, written by Job: %v", kind, i, issues)
			}
			var fields map[string]json.RawMessage
			if err := json.Unmarshal(example, &fields); err != nil {
				t.Fatal(err)
			}
			for name := range fields {
				shown[name] = true
			}
		}
		for name := range d.Properties {
			if !shown[name] {
				t.Errorf("%s: no example shows %s", kind, name)
			}
		}
	}
}

// TestSchemasTogetherTakeAllOfJob checks that the schemas together have the fields of a
// Job, no more and no fewer.
func TestSchemasTogetherTakeAllOfJob(t *testing.T) {
	t.Parallel()
	s := schema.Load()
	known := map[string]bool{}
	defs := map[string]string{}
	for _, kind := range usher.Kinds() {
		d := document(t, s, kind)
		if d.Description == "" || d.ID != "urn:usher:"+string(kind) {
			t.Errorf("%s has the description %q and the id %q", kind, d.Description, d.ID)
		}
		for name := range d.Properties {
			known[name] = true
		}
		for name, def := range d.Defs {
			if other, ok := defs[name]; ok && other != string(def) {
				t.Errorf("%s has another definition of %s than the kinds before it", kind, name)
			}
			defs[name] = string(def)
		}
	}
	for _, check := range []struct {
		of    reflect.Type
		knows map[string]bool
	}{
		{reflect.TypeFor[usher.Job](), known},
		{reflect.TypeFor[usher.Source](), properties(t, defs["export"], defs["inline"])},
		{reflect.TypeFor[usher.Profile](), properties(t, defs["explicitProfile"])},
		{reflect.TypeFor[usher.Metrics](), properties(t, defs["metrics"])},
	} {
		have := map[string]bool{}
		for i := range check.of.NumField() {
			name, _, _ := strings.Cut(check.of.Field(i).Tag.Get("json"), ",")
			have[name] = true
		}
		if diff := cmp.Diff(have, check.knows); diff != "" {
			t.Errorf("%v and the schemas differ (-struct +schema):\n%s", check.of, diff)
		}
	}
}

// properties returns the names of the definitions' properties.
func properties(t *testing.T, defs ...string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, def := range defs {
		var d schemaDocument
		if err := json.Unmarshal([]byte(def), &d); err != nil {
			t.Fatal(err)
		}
		for name := range d.Properties {
			names[name] = true
		}
	}
	return names
}

// TestEveryObjectIsClosedAndEveryFieldDescribed walks the schemas' texts.
func TestEveryObjectIsClosedAndEveryFieldDescribed(t *testing.T) {
	t.Parallel()
	s := schema.Load()
	for _, kind := range usher.Kinds() {
		text, _ := s.Text(kind)
		var root any
		if err := json.Unmarshal(text, &root); err != nil {
			t.Fatal(err)
		}
		var walk func(path string, v any)
		walk = func(path string, v any) {
			object, ok := v.(map[string]any)
			if !ok || strings.HasSuffix(path, "/examples") {
				return
			}
			if object["type"] == "object" && object["additionalProperties"] == nil {
				t.Errorf("%s%s takes any field", kind, path)
			}
			for _, group := range []string{"properties", "$defs"} {
				fields, _ := object[group].(map[string]any)
				for name, field := range fields {
					field, _ := field.(map[string]any)
					if field["description"] == nil && field["$ref"] == nil {
						t.Errorf("%s%s/%s/%s has no description", kind, path, group, name)
					}
				}
			}
			for name, inner := range object {
				walk(path+"/"+name, inner)
			}
		}
		walk("", root)
	}
}

func TestSchemaIssues(t *testing.T) {
	t.Parallel()
	s := schema.Load()
	const add = `"segment":"17","profile":"idfa"`
	many := strings.Repeat(`"x",`, 10_000) + `"x"`
	for name, c := range map[string]struct {
		kind usher.Kind
		body string
		want []string // the beginning of each "pointer: message"
	}{
		"unknown kind":       {"segment.ad", `{}`, []string{": there is no such kind of job: accepted are segment.add, segment.remove, segment.mirror, target.add"}},
		"empty":              {"target.clear", ``, []string{": the job is not one JSON value: it breaks off after 0 bytes"}},
		"cut":                {"target.clear", `{"campaign":`, []string{": the job is not one JSON value: it breaks off after 12 bytes"}},
		"broken":             {"target.clear", `{"campaign"="x"}`, []string{": the job is not one JSON value: it breaks at byte 12"}},
		"more behind":        {"target.clear", `{"campaign":"x"} {}`, []string{": the job is not one JSON value"}},
		"not UTF-8":          {"target.clear", "{\"campaign\":\"\xff\"}", []string{": the job is not UTF-8"}},
		"not an object":      {"target.clear", `[]`, []string{": must be an object, not an array"}},
		"a field twice":      {"target.clear", `{"campaign":"x","campaign":"y"}`, []string{"/campaign: comes twice"}},
		"nested field twice": {"segment.add", `{` + add + `,"source":{"url":"a"},"source":{"ids":["b"]}}`, []string{"/source: comes twice"}},
		"too deep":           {"target.clear", strings.Repeat("[", 50) + strings.Repeat("]", 50), []string{"/0/0/0/0/0/0/0/0: is nested more than 8 deep"}},
		"huge number":        {"segment.add", `{"maxRejectPercent":1e999}`, []string{"/maxRejectPercent: is a number out of range"}},
		"nothing":            {"segment.add", `{}`, []string{"/profile: is required", "/segment: is required", "/source: is required"}},
		"unknown field":      {"target.clear", `{"campaign":"x","champaign":"x"}`, []string{"/champaign: is not known here: accepted are advertiser, campaign, deadline, id; did you mean \"campaign\"?"}},
		"ids of a source":    {"segment.add", `{"segment":"1","profile":"idfa","ids":["a"]}`, []string{"/ids: is not known here: accepted are advertiser, deadline, dryRun, id, input, maxMalformedPercent, maxRejectPercent, profile, segment, source; write \"source\": {\"ids\": […]}", "/source: is required"}},
		"field of another":   {"target.add", `{"campaign":"x","profile":"idfa","source":{"url":"a"},"force":true}`, []string{"/force: is not known here"}},
		"case of a field":    {"target.clear", `{"Campaign":"x"}`, []string{"/Campaign: is not known here", "/campaign: is required"}},
		"id of dots":         {"target.clear", `{"campaign":"x","id":"a..b"}`, []string{"/id: may hold letters, digits, - and _, and single dots between them"}},
		"long id":            {"target.clear", `{"campaign":"x","id":"` + strings.Repeat("a", 129) + `"}`, []string{"/id: has 129 characters, at most 128 are accepted"}},
		"long campaign":      {"target.clear", `{"campaign":"` + strings.Repeat("a", 33) + `"}`, []string{"/campaign: has 33 characters, at most 32 are accepted"}},
		"campaign with dot":  {"target.clear", `{"campaign":"a.b"}`, []string{"/campaign: may hold only letters, digits and -"}},
		"segment with slash": {"segment.add", `{"segment":"1/2","profile":"idfa","source":{"url":"a"}}`, []string{"/segment: may not be empty or hold a slash or control characters"}},
		"segment above":      {"segment.add", `{"segment":"..","profile":"idfa","source":{"url":"a"}}`, []string{`/segment: may not be "." or ".."`}},
		"segment a number":   {"segment.add", `{"segment":17,"profile":"idfa","source":{"url":"a"}}`, []string{"/segment: must be a string, not a number"}},
		"profile":            {"segment.add", `{"segment":"17","profile":"gaid","source":{"url":"a"}}`, []string{`/profile: must be one of "idfa", "aaid", "android_id"`}},
		"profile a number":   {"segment.add", `{"segment":"17","profile":1,"source":{"url":"a"}}`, []string{"/profile: must be a string or an object"}},
		"source a string":    {"segment.add", `{"segment":"17","profile":"idfa","source":"a.csv"}`, []string{"/source: must be an object"}},
		"profile's case":     {"segment.add", `{"segment":"17","profile":{"type":"idfa","case":"UPPER"},"source":{"url":"a"}}`, []string{`/profile/case: must be one of "upper", "lower"`}},
		"profile's type":     {"segment.add", `{"segment":"17","profile":{"case":"upper"},"source":{"url":"a"}}`, []string{`/profile/type: is required`}},
		"no source":          {"segment.add", `{` + add + `,"source":{}}`, []string{"/source: needs one of url, ids"}},
		"two sources":        {"segment.add", `{` + add + `,"source":{"url":"a","ids":["b"]}}`, []string{"/source: takes url or ids, not both"}},
		"format of ids":      {"segment.add", `{` + add + `,"source":{"ids":["b"],"format":"csv"}}`, []string{"/source/format: is not known here: accepted are anyVersion, ids"}},
		"no ids":             {"segment.add", `{` + add + `,"source":{"ids":[]}}`, []string{"/source/ids: has 0 items, at least 1 are needed"}},
		"too many ids":       {"segment.add", `{` + add + `,"source":{"ids":[` + many + `]}}`, []string{"/source/ids: has more than 10000 items: name an export in source.url"}},
		"long id inline":     {"segment.add", `{` + add + `,"source":{"ids":["a","` + strings.Repeat("b", 4097) + `"]}}`, []string{"/source/ids/1: has 4097 characters, at most 4096 are accepted"}},
		"id a number":        {"segment.add", `{` + add + `,"source":{"ids":[12]}}`, []string{"/source/ids/0: must be a string, not a number"}},
		"cut a string":       {"segment.add", `{` + add + `,"source":{"url":"a","cut":"no"}}`, []string{"/source/cut: must be a boolean, not a string"}},
		"delimiter":          {"segment.add", `{` + add + `,"source":{"url":"a","delimiter":"ab"}}`, []string{`/source/delimiter: must be auto or one ASCII character other than a quote, a line end and NUL`}},
		"input":              {"segment.add", `{` + add + `,"source":{"url":"a"},"input":""}`, []string{`/input: must be one of "raw", "md5", "auto"`}},
		"percent":            {"segment.add", `{` + add + `,"source":{"url":"a"},"maxRejectPercent":100.5}`, []string{"/maxRejectPercent: must be at most 100"}},
		"negative":           {"segment.add", `{` + add + `,"source":{"url":"a"},"maxRejectPercent":-1}`, []string{"/maxRejectPercent: must be at least 0"}},
		"deadline a date":    {"target.clear", `{"campaign":"x","deadline":"2026-03-01"}`, []string{"/deadline: must be a time as in RFC 3339"}},
		"no such day":        {"target.clear", `{"campaign":"x","deadline":"2026-02-30T00:00:00Z"}`, []string{"/deadline: must be a time"}},
		"leap second":        {"target.clear", `{"campaign":"x","deadline":"2016-12-31T23:59:60Z"}`, []string{"/deadline: must be a time"}},
		"as of":              {"rules.evaluate", `{"rules":"x","asOf":"now"}`, []string{"/asOf: must be a time"}},
		"creatives":          {"campaign.pause", `{"campaign":"x","creatives":["a","b","a"]}`, []string{"/creatives: holds the same item twice, at 0 and at 2"}},
		"no creatives":       {"campaign.resume", `{"campaign":"x","creatives":[]}`, []string{"/creatives: has 0 items"}},
		"metrics":            {"rules.evaluate", `{"rules":"x","metrics":{"campaign":"c","values":{"a b":1},"at":"2026-03-01T18:00:00Z"}}`, []string{"/metrics/values: has a name that is not accepted"}},
		"no metrics":         {"rules.evaluate", `{"rules":"x","metrics":{"campaign":"c","values":{},"at":"2026-03-01T18:00:00Z"}}`, []string{"/metrics/values: has 0 fields"}},
		"except":             {"segment.mirror", `{` + add + `,"source":{"url":"a"},"except":["segmnt/1"]}`, []string{`/except/0: must be segment/ID or campaign/CODE, such as segment/5; did you mean "segment"?`}},
		"except a number":    {"segment.mirror", `{` + add + `,"source":{"url":"a"},"except":["5"]}`, []string{`/except/0: must be segment/ID or campaign/CODE, such as segment/5`}},
		"only":               {"segment.add", `{` + add + `,"source":{"url":"a","only":["consent"]}}`, []string{`/source/only/0: must be COLUMN=VALUE, such as consent=yes`}},
		"holdout's key":      {"segment.mirror", `{` + add + `,"source":{"url":"a"},"holdout":{"percent":10,"key":"a b"}}`, []string{`/holdout/key: may hold only letters, digits, dots, - and _`}},
		"metric":             {"rules.evaluate", `{"rules":"x","metrics":{"campaign":"c","values":{"spend":"1"},"at":"2026-03-01T18:00:00Z"}}`, []string{"/metrics/values/spend: must be a number, not a string"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			issues := s.Validate(c.kind, []byte(c.body))
			if len(issues) != len(c.want) {
				t.Fatalf("got %q, want %q", issues, c.want)
			}
			for i, issue := range issues {
				if got := issue.Pointer + ": " + issue.Message; !strings.HasPrefix(got, c.want[i]) {
					t.Errorf("got %q, want %q", got, c.want[i])
				}
			}
		})
	}
}

// TestPatternsHaveWords checks that the message of each pattern says in words what it accepts.
func TestPatternsHaveWords(t *testing.T) {
	t.Parallel()
	s := schema.Load()
	for _, kind := range usher.Kinds() {
		text, _ := s.Text(kind)
		for _, found := range regexp.MustCompile(`"pattern": ("(?:[^"\\]|\\.)*")`).FindAllSubmatch(text, -1) {
			var pattern string
			if err := json.Unmarshal(found[1], &pattern); err != nil {
				t.Fatal(err)
			}
			if schema.PatternRule(pattern) == "" {
				t.Errorf("%s: no words for %q", kind, pattern)
			}
		}
	}
}

func TestSchemaLimits(t *testing.T) {
	t.Parallel()
	s := schema.Load()
	huge := append([]byte(`{"campaign":"x"`), bytes.Repeat([]byte(" "), 64<<20)...)
	if issues := s.Validate(usher.TargetClear, append(huge, '}')); len(issues) != 1 || !strings.Contains(issues[0].Message, "bytes, at most 67108864") {
		t.Errorf("64 MiB and more gave %v", issues)
	}
	fields := []byte("{")
	for i := range 201 {
		fields = fmt.Appendf(fields, `"f%d":1,`, i)
	}
	if issues := s.Validate(usher.TargetClear, append(fields, `"g":1}`...)); len(issues) != 1 || issues[0].Message != "has more than 200 fields" {
		t.Errorf("202 fields gave %v", issues)
	}
	wrong := strings.Repeat("1,", 999) + "1"
	issues := s.Validate(usher.CampaignPause, []byte(`{"campaign":"x","creatives":[`+wrong+`]}`))
	if len(issues) != 20 || !slices.IsSortedFunc(issues, func(a, b schema.Issue) int { return strings.Compare(a.Pointer, b.Pointer) }) {
		t.Errorf("1000 wrong creatives gave %d issues: %v", len(issues), issues)
	}
}

func TestSchemaIDsAreValidIDs(t *testing.T) {
	t.Parallel()
	s := schema.Load()
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.OneOf(
			rapid.StringMatching(`[A-Za-z0-9._-]{0,6}`),
			rapid.StringMatching(`[a.]{126,130}`),
			rapid.String(),
		).Draw(t, "id")
		body, err := json.Marshal(map[string]string{"campaign": "x", "id": id})
		if err != nil {
			t.Fatal(err)
		}
		if issues := s.Validate(usher.TargetClear, body); (issues == nil) != usher.ValidID(id) {
			t.Fatalf("ValidID says %v of %q, the schema %v", usher.ValidID(id), id, issues)
		}
	})
}

// canary is a device id, no part of which may appear in an issue.
const canary = "6D92078A-8246-4BA4-AE5B-76104861E7DC"

func FuzzSchemaKeepsIDsToItself(f *testing.F) {
	for _, seed := range []string{
		`{"segment":"17","profile":"idfa","source":{"ids":["%s",1,null,"%s"]}}`,
		`{"segment":"%s/","profile":"%s","source":"%s","%s":1,"id":"%s.."}`,
		`{"segment":"17","profile":{"%s":1,"type":"%s"},"source":{"%s":["%s"]},"deadline":"%s"}`,
		`{"source":{"ids":{"%s":1}},"creatives":["%s/","%s/"],"campaign":"%s "}`,
		`{"rules":"..%s","metrics":{"campaign":"%s","values":{"%s":"%s"},"at":"%s"}}`,
		`{"%s":1,"%s":2}`,
		`{"source":{"url":"%s","ids":["%s"],"format":"%s"}} %s`,
		`["%s"`,
		`%s`,
	} {
		f.Add(strings.ReplaceAll(seed, "%s", canary))
	}
	s := schema.Load()
	pieces := strings.Split(strings.ToLower(canary), "-")
	f.Fuzz(func(t *testing.T, body string) {
		for _, kind := range usher.Kinds() {
			issues := s.Validate(kind, []byte(body))
			if len(issues) > 20 {
				t.Fatalf("%d issues", len(issues))
			}
			if issues == nil {
				job, err := decode([]byte(body))
				if err != nil || job.ID != "" && !usher.ValidID(job.ID) {
					t.Fatalf("the schema of %s takes what a Job does not: %v", kind, err)
				}
			}
			for _, issue := range issues {
				shown := strings.ToLower(issue.Pointer + issue.Message)
				for _, piece := range pieces {
					if strings.Contains(shown, piece) {
						t.Fatalf("%s shows %q: %v", kind, piece, issue)
					}
				}
			}
		}
	})
}
