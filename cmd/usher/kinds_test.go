package main_test

import (
	"encoding/json"
	"strings"
	"testing"

	"usher"
	"usher/queues/schema"
)

// A worker knows what to do for each kind: it ends the example of its schema, mostly because the
// example names what the sandbox does not have.
func TestEveryKindRuns(t *testing.T) {
	t.Parallel()
	d := newDeployment(t)
	d.worker("worker")
	for _, kind := range usher.Kinds() {
		text, _ := schema.Load().Text(kind)
		var s struct {
			Examples []job `json:"examples"`
		}
		if err := json.Unmarshal(text, &s); err != nil || len(s.Examples) == 0 {
			t.Errorf("the schema of %s has no example: %v", kind, err)
			continue
		}
		s.Examples[0]["id"] = string(kind)
		delete(s.Examples[0], "deadline")
		subject := "usher.jobs."
		if kind.OfRulesOnly() {
			subject = "usher.runs." // as a rule's run does
		}
		if _, err := d.js.Publish(t.Context(), subject+string(kind), []byte(asJSON(s.Examples[0]))); err != nil {
			t.Fatal(err)
		}
	}
	for _, kind := range usher.Kinds() {
		r := d.ended(string(kind))
		if r.Attempts == 0 || r.Error != nil && strings.Contains(r.Error.Message, "not known") {
			t.Errorf("%s was not run: %s", kind, recordText(r))
		}
	}
}
