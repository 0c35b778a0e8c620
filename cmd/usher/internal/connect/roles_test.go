package connect

import (
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The roles are those of deploy/nats.conf.
func TestRolesOfDeploy(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../../deploy/nats.conf")
	if err != nil {
		t.Fatal(err)
	}
	begins := map[string]string{"worker": "\nWORKER = {", "ops": "\nOPS = {", "publisher": "{user: publisher,"}
	for _, r := range roles {
		_, block, _ := strings.Cut(string(text), begins[r.name])
		for key, have := range map[string][]string{"publish:": r.publish, "subscribe:": r.subscribe} {
			_, list, _ := strings.Cut(block, key)
			list, _, _ = strings.Cut(list, "]")
			var want []string
			for _, match := range regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(regexp.MustCompile(`#.*`).ReplaceAllString(list, ""), -1) {
				want = append(want, match[1])
			}
			if !slices.Equal(have, want) || len(want) == 0 {
				t.Errorf("%s of %s is %q, want %q", key, r.name, have, want)
			}
		}
	}
}

func TestHolders(t *testing.T) {
	t.Parallel()
	for refused, want := range map[string]string{
		`Permissions Violation for Publish to "$JS.API.STREAM.UPDATE.USHER_JOBS"`:                "admin",
		`Permissions Violation for Publish to "$JS.API.CONSUMER.MSG.NEXT.USHER_JOBS.none"`:       "admin and worker",
		`Permissions Violation for Publish to "$JS.API.CONSUMER.MSG.NEXT.a_b_USHER_DEAD.x"`:      "admin, worker and ops",
		`Permissions Violation for Publish to "$KV.test_usher_state.jobs.x"`:                     "admin, worker and ops",
		`Permissions Violation for Publish to "$JS.API.CONSUMER.CREATE.KV_test_usher_rules.x.y"`: "admin, worker and ops",
		`Permissions Violation for Publish to "test.usher.jobs.segment.add"`:                     "admin, ops and publisher",
		`Permissions Violation for Subscription to "_INBOX.1.*"`:                                 "admin, worker and ops",
		`Permissions Violation for Subscription to "usher.submit.>" using queue "q"`:             "admin and worker",
		`Permissions Violation for Subscription to "usher.>"`:                                    "admin",
		"authorization violation": "",
	} {
		if got := holders(errors.New(refused)); got != want {
			t.Errorf("%s: %q, want %q", refused, got, want)
		}
	}
}
