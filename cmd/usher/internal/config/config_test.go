package config

import (
	"strings"
	"testing"
)

// There is a warning about a variable whose name resembles that of a key's variable, but
// none about the variables of other programs.
func TestUnknownVariables(t *testing.T) {
	t.Parallel()
	for variable, want := range map[string]string{
		"USHER_NATS_ULR=x":             "USHER_NATS_URL",
		"USHER_LANES_BULK_SLOTS=1":     "USHER_LANES_BULK",
		"USHER_NATS_URL=x":             "",
		"USHER_PLATFORM_PASSWORD_FILE": "",
		"USHER_TEST_NATS_SERVER=x":     "",
		"HOME=/root":                   "",
	} {
		got := strings.Join(UnknownVariables([]string{variable}), "\n")
		if want == "" && got != "" || want != "" && !strings.HasSuffix(got, "did you mean "+want+"?") {
			t.Errorf("%s: warning %q", variable, got)
		}
	}
}
