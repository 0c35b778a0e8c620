package console_test

import (
	"encoding/json"
	"testing"

	"usher"
	"usher/internal/console"
)

func TestTargetOfEachKind(t *testing.T) {
	t.Parallel()
	for kind, test := range map[usher.Kind]struct{ job, want string }{
		usher.SegmentMirror: {`{"segment":"17"}`, "segment 17"},
		usher.TargetAdd:     {`{"campaign":"SANDBOX1-x"}`, "target SANDBOX1-x"},
		usher.CampaignPause: {`{"campaign":"SANDBOX1-x"}`, "campaign SANDBOX1-x"},
		usher.RulesEvaluate: {`{"rules":"budgets"}`, "rules budgets"},
		usher.DeviceForget:  {`{"ids":["a"]}`, "all targets"},
	} {
		if got := console.TargetOf(&usher.Record{Kind: kind, Job: json.RawMessage(test.job)}); got != test.want {
			t.Errorf("%s of %s has the target %q, want %q", kind, test.job, got, test.want)
		}
	}
}
