package feeds

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"usher"
	"usher/internal/rules/document"
	"usher/queues/schema"
)

// own are the fields of a job and its source that the feed sets.
var (
	ownFields = []string{"id", "deadline", "ids", "acceptChange"}
	ownSource = []string{"url", "ids", "doneMarker", "version"}
)

// job reads the job of a feed, and checks it by the schema of its kind.
func (r *reader) job(feed *Feed, n ast.Node) {
	fields := fieldsOf(n)
	if fields == nil || fields["kind"] == nil {
		r.Errorf(document.PlaceOf(n), `write job: {kind: segment.mirror, segment: "17", profile: idfa}`, "job must be keys with values, and one of them kind")
		return
	}
	if feed.Kind = r.kind(fields["kind"]); feed.Kind == "" {
		return
	}
	if fields["except"] != nil {
		feed.places["except"] = document.PlaceOf(fields["except"])
	}
	if feed.Kind == usher.Outcomes {
		r.outcomes(feed, n)
		return
	}
	for _, key := range []string{"segment", "campaign"} {
		if fields[key] != nil {
			feed.places["target"] = document.PlaceOf(fields[key])
		}
	}
	accepted, inSource := schemaKeys(feed.Kind)
	before := len(r.Problems)
	r.Entries(n, "job", keys(append(accepted, "kind"), ownFields))
	if fields["source"] != nil {
		r.Entries(fields["source"], "source", keys(inSource, ownSource))
	}
	if document.Errors(r.Problems[before:]) {
		return
	}
	var body map[string]any
	if err := yaml.NodeToValue(n, &body); err != nil {
		r.Errorf(document.PlaceOf(n), "write it in plain keys and values", "job cannot be read")
		return
	}
	delete(body, "kind")
	source, _ := body["source"].(map[string]any)
	if source == nil {
		source = map[string]any{}
		body["source"] = source
	}
	source["url"] = feed.Watch.URL()
	data, err := json.Marshal(body)
	if err != nil {
		r.Errorf(document.PlaceOf(n), "write it in plain keys and values", "job cannot be read")
		return
	}
	for _, issue := range schema.Load().Validate(feed.Kind, data) {
		r.issue(n, issue)
	}
	if document.Errors(r.Problems[before:]) {
		return
	}
	if err := json.Unmarshal(data, &feed.Job); err != nil {
		r.Errorf(document.PlaceOf(n), "report this as a bug in usher", "job cannot be read")
		return
	}
	feed.Job.Source.URL = ""
}

// outcomes reads what a feed does with exports of numbers from outside.
func (r *reader) outcomes(feed *Feed, n ast.Node) {
	source := &usher.Source{}
	text := func(into *string, what string) func(ast.Node) {
		return func(n ast.Node) { *into, _ = r.Text(n, what) }
	}
	r.Entries(n, "job", map[string]func(ast.Node){
		"kind":       func(ast.Node) {},
		"advertiser": text(&feed.Job.Advertiser, "advertiser"),
		"complete":   func(n ast.Node) { feed.Complete = r.Word(n, "complete", nil, "true", "false") == "true" },
		"source": func(n ast.Node) {
			r.Entries(n, "source", map[string]func(ast.Node){
				"format": text(&source.Format, "format"), "compression": text(&source.Compression, "compression"), "encoding": text(&source.Encoding, "encoding"),
				"delimiter": text(&source.Delimiter, "delimiter"), "quote": text(&source.Quote, "quote"), "escape": text(&source.Escape, "escape"), "sheet": text(&source.Sheet, "sheet"),
			})
		},
	})
	feed.Job.Source = source
}

// issue adds an error for an issue of the job, at the value that it is about, or at the
// nearest one around it.
func (r *reader) issue(n ast.Node, issue schema.Issue) {
	at := document.PlaceOf(n)
	for name := range strings.SplitSeq(strings.TrimPrefix(issue.Pointer, "/"), "/") {
		value := fieldsOf(n)[name]
		if value == nil {
			break
		}
		n, at = value, document.PlaceOf(value)
	}
	hint := "see usher submit KIND --schema"
	if _, number := n.(*ast.IntegerNode); number && strings.Contains(issue.Message, "a string") {
		hint = `write "` + n.GetToken().Value + `", in quotes`
	}
	r.Errorf(at, hint, "job: %s %s", strings.TrimPrefix(issue.Pointer, "/"), issue.Message)
}

// fieldsOf returns the values of a mapping by their keys, or nil if n is none.
func fieldsOf(n ast.Node) map[string]ast.Node {
	m, ok := n.(ast.MapNode)
	if !ok {
		return nil
	}
	fields := map[string]ast.Node{}
	for each := m.MapRange(); each.Next(); {
		fields[each.Key().GetToken().Value] = each.Value()
	}
	return fields
}

// schemaKeys returns the fields that jobs of a kind and their exports take.
func schemaKeys(kind usher.Kind) (job, source []string) {
	type object struct {
		Properties map[string]any `json:"properties"`
	}
	var root struct {
		object
		Defs map[string]object `json:"$defs"`
	}
	text, _ := schema.Load().Text(kind)
	if json.Unmarshal(text, &root) != nil {
		return nil, nil // the schemas are embedded
	}
	return document.Sorted(root.Properties), document.Sorted(root.Defs["export"].Properties)
}

// keys returns the keys without some, none of which Entries reads.
func keys(list, without []string) map[string]func(ast.Node) {
	known := map[string]func(ast.Node){}
	for _, key := range list {
		if !slices.Contains(without, key) {
			known[key] = func(ast.Node) {}
		}
	}
	return known
}
