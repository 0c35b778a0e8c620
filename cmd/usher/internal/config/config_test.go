package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
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

// A configuration is one of an installation if a file was read or NATS has another address.
func TestConfigured(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "usher.yaml")
	if err := os.WriteFile(path, []byte("namespace: a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		arguments []string
		want      bool
	}{
		"defaults":        {nil, false},
		"a file":          {[]string{"--config", path}, true},
		"another address": {[]string{"--nats", "nats://nats-1:4222"}, true},
	} {
		cmd := &cobra.Command{}
		AddFlags(cmd, "nats")
		if err := cmd.ParseFlags(c.arguments); err != nil {
			t.Fatal(err)
		}
		loaded, err := Load(cmd, func(string) (string, bool) { return "", false })
		if err != nil {
			t.Fatal(err)
		}
		if got := loaded.Configured(); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}
