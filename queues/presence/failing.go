package presence

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"usher/internal/readable"
)

// Failing is an operation of the platform that fails, judged by the outcomes of its own calls.
type Failing struct {
	Operation string    `json:"operation"` // campaigns.set-status
	Since     time.Time `json:"since"`
	Failed    int       `json:"failed"` // of Calls, which are the last ones
	Calls     int       `json:"calls"`
	Waiting   int       `json:"waiting,omitempty"` // calls that have no answer yet, if some have waited for too long
	Error     string    `json:"error,omitempty"`   // the last failure; "": there was none
}

// String says what fails, since when, and how.
func (f *Failing) String() string {
	return fmt.Sprintf("%s %s since %s: %s", f.Operation, f.verb(), f.Since.UTC().Format(time.RFC3339), f.How())
}

// Says says which operation fails.
func (f *Failing) Says() string { return "The platform's " + f.Operation + " " + f.verb() }

func (f *Failing) verb() string {
	if f.Failed == 0 {
		return "does not answer"
	}
	return "fails"
}

// How says how many calls have failed, how, and how many wait for an answer.
func (f *Failing) How() string {
	var parts []string
	if f.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d of the last %s: %s", f.Failed, readable.Count(f.Calls, "call"), f.Error))
	}
	if f.Waiting > 0 {
		parts = append(parts, readable.Count(f.Waiting, "call")+" without an answer")
	}
	return strings.Join(parts, "; ")
}

// needs says which jobs call an operation, by its name or the beginning of it; the first one counts.
var needs = []struct{ operation, jobs string }{
	{"campaigns.put", "Budgets and bids wait"},
	{"campaigns.get", "Budgets, bids and runs of rules wait"},
	{"campaigns.list", "Runs of rules wait"},
	{"campaigns.unlock", "A campaign stays locked for up to 5 minutes after a change"},
	{"campaigns.lock", "Pauses, resumes, budgets and bids wait"},
	{"campaigns.status", "Pauses, resumes and runs of rules wait"},
	{"campaigns.set-status", "Pauses and resumes wait"},
	{"creatives.", "Pauses and resumes wait"},
	{"campaigns.", "Uploads of device ids to campaigns wait"},
	{"segments.", "Uploads to segments, removals from them and mirrors wait"},
	{"reporting.", "Runs of rules wait"},
	{"", "Jobs that need it wait"},
}

// Delays says what waits for the operation.
func (f *Failing) Delays() string {
	at := slices.IndexFunc(needs, func(n struct{ operation, jobs string }) bool { return strings.HasPrefix(f.Operation, n.operation) })
	return needs[at].jobs + "; other operations may work."
}

// FailingHint says what to do about an operation that fails.
const FailingHint = "Jobs that need it are tried again. Ask the platform's support."

// AllFailing returns the operations that fail for any of the workers, each once, by name.
func AllFailing(workers []Answer) (failing []Failing) {
	for i := range workers {
		for _, f := range workers[i].Failing {
			at, found := slices.BinarySearchFunc(failing, f, func(a, b Failing) int { return strings.Compare(a.Operation, b.Operation) })
			switch {
			case !found:
				failing = slices.Insert(failing, at, f)
			case f.Since.Before(failing[at].Since):
				failing[at] = f
			}
		}
	}
	return failing
}
