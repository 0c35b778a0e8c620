package doctor

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
)

// A publish that NATS refuses is a finding. One of the system account is reported elsewhere, and other errors
// of the connection are not refusals.
func TestRefusals(t *testing.T) {
	t.Parallel()
	var r refusals
	for _, err := range []error{
		fmt.Errorf("%w: Permissions Violation for Publish to \"$SYS.REQ.USER.INFO\"", nats.ErrPermissionViolation),
		nats.ErrSlowConsumer,
	} {
		r.note(nil, nil, err)
	}
	if found := r.results(); len(found) != 0 {
		t.Errorf("without a refusal, the findings are %+v", found)
	}
	r.note(nil, nil, fmt.Errorf("%w: Permissions Violation for Publish to \"usher.jobs.segment.add\"", nats.ErrPermissionViolation))
	if found := r.results(); len(found) != 1 || !strings.Contains(fmt.Sprint(found[0]), "usher.jobs.segment.add") {
		t.Errorf("the findings are %+v", found)
	}
}
