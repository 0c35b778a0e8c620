package sandbox

import (
	"encoding/json"
	"slices"
	"testing"

	"usher/internal/rtb"
	"usher/internal/sandbox/envelope"
	"usher/internal/sandbox/operations"
)

// TestListingsAreWhole checks that a listing has the form of any other answer.
func TestListingsAreWhole(t *testing.T) {
	t.Parallel()
	routes := operations.Routes()
	at := slices.IndexFunc(routes, func(r operations.Route) bool { return r.Operation.Name == rtb.MetadataStates.Name })
	states, err := routes[at].Run(nil, nil, rtb.Nothing{})
	if err != nil {
		t.Fatal(err)
	}
	answer := succeeded(states, []envelope.Note{{Code: "W1", Description: "mind"}}).inMemory()
	var got struct {
		Status string `json:"status"`
		Data   struct {
			States   []rtb.State     `json:"countries"`
			Warnings []envelope.Note `json:"warnings"`
		} `json:"data"`
	}
	if err := json.Unmarshal(answer.body, &got); err != nil {
		t.Fatal(err)
	}
	if got.Status != "success" || len(got.Data.States) != 57 || len(got.Data.Warnings) != 1 || answer.stream != nil {
		t.Errorf("%+v", got)
	}
}
