package config

import (
	"strings"
	"testing"
)

// A variable that looks like a key's has its warning; what is somebody else's
// has none.
func TestStrayVariables(t *testing.T) {
	t.Parallel()
	for variable, want := range map[string]string{
		"USHER_NATS_ULR=x":             "USHER_NATS_URL",
		"USHER_LANES_BULK_SLOTS=1":     "USHER_LANES_BULK",
		"USHER_NATS_URL=x":             "",
		"USHER_PLATFORM_PASSWORD_FILE": "",
		"USHER_TEST_NATS_SERVER=x":     "",
		"HOME=/root":                   "",
	} {
		got := strings.Join(StrayVariables([]string{variable}), "\n")
		if want == "" && got != "" || want != "" && !strings.HasSuffix(got, "did you mean "+want+"?") {
			t.Errorf("%s: it says %q", variable, got)
		}
	}
}
