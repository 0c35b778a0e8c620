package letters

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"usher"
	"usher/queues"
	"usher/queues/schema"
)

// restore puts back what people do not see of a letter's job: inline ids, and the query of its source's
// URL. text is the changed job, shown the job as it was before the change.
func restore(text, shown json.RawMessage, l *queues.Letter) (json.RawMessage, *schema.Issue) {
	var after, before, kept map[string]json.RawMessage
	if json.Unmarshal(text, &after) != nil || after == nil {
		return nil, &schema.Issue{Message: "is not a JSON object"}
	}
	if json.Unmarshal(shown, &before) != nil || json.Unmarshal(l.Job, &kept) != nil {
		return nil, &schema.Issue{Message: "the letter's job cannot be read"}
	}
	id, err := json.Marshal(*l.ID)
	if err != nil {
		return nil, &schema.Issue{Pointer: "/id", Message: err.Error()}
	}
	if given, named := after["id"]; named && !bytes.Equal(given, id) {
		return nil, &schema.Issue{Pointer: "/id", Message: "a job's id cannot be changed: publish a new job with another id"}
	}
	after["id"] = id
	source, issue := restoreSource(after["source"], before["source"], kept["source"])
	if issue != nil {
		return nil, issue
	}
	if source != nil {
		after["source"] = source
	}
	body, err := json.Marshal(after)
	if err != nil {
		return nil, &schema.Issue{Message: err.Error()}
	}
	return body, nil
}

// restoreSource does the same for a job's source. It returns nil if there is
// nothing to put back.
func restoreSource(text, shown, keptSource json.RawMessage) (json.RawMessage, *schema.Issue) {
	var after, before, kept map[string]json.RawMessage
	if json.Unmarshal(text, &after) != nil || after == nil {
		return nil, nil
	}
	_ = json.Unmarshal(shown, &before)
	_ = json.Unmarshal(keptSource, &kept)
	for _, field := range []string{"url", "ids"} {
		given, named := after[field]
		if !named || !bytes.Equal(canonical(given), canonical(before[field])) {
			continue
		}
		after[field] = kept[field]
		if bytes.Equal(canonical(kept[field]), canonical(given)) && (field == "ids" || strings.Contains(string(given), "?…")) {
			return nil, &schema.Issue{Pointer: "/source/" + field, Message: "was not kept, because the job was not valid: write it out"}
		}
	}
	restored, err := json.Marshal(after)
	if err != nil {
		return nil, &schema.Issue{Pointer: "/source", Message: err.Error()}
	}
	return restored, nil
}

// digestsAs returns an issue if a changed job takes the inline ids of the kept one for digests of another profile,
// or for no digests: its ids are no longer known, and these digests would match nobody.
func digestsAs(kept, changed json.RawMessage) *schema.Issue {
	var was, is usher.Job
	if json.Unmarshal(kept, &was) != nil || json.Unmarshal(changed, &is) != nil || is.Profile == nil {
		return nil // the schema refuses it
	}
	if was.Input != usher.InputMD5 || was.Profile == nil || was.Source == nil || was.Source.IDs == nil {
		return nil
	}
	why := fmt.Sprintf("the inline ids are stored as digests, of profile %s: give source.ids and input as well, or publish a new job", was.Profile)
	switch {
	case !was.Profile.IsSame(*is.Profile):
		return &schema.Issue{Pointer: "/profile", Message: why}
	case is.Input != usher.InputMD5:
		return &schema.Issue{Pointer: "/input", Message: why}
	}
	return nil
}

// differing returns JSON pointers of the fields, one level into source, in which
// two jobs differ.
func differing(before, after json.RawMessage) []string {
	var a, b map[string]json.RawMessage
	_, _ = json.Unmarshal(before, &a), json.Unmarshal(after, &b)
	fields := []string{}
	names := maps.Clone(b)
	maps.Copy(names, a)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		switch {
		case bytes.Equal(canonical(a[name]), canonical(b[name])):
		case name == "source" && a[name] != nil && b[name] != nil:
			for _, inner := range differing(a[name], b[name]) {
				fields = append(fields, "/source"+inner)
			}
		default:
			fields = append(fields, schema.Pointer([]string{name}))
		}
	}
	return fields
}

// canonical returns JSON without white space and with sorted keys.
func canonical(text json.RawMessage) []byte {
	var v any
	if len(text) == 0 || json.Unmarshal(text, &v) != nil {
		return text
	}
	out, err := json.Marshal(v)
	if err != nil {
		return text
	}
	return out
}
