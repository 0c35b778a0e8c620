package connect_test

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
)

// A command says which platform it asks if NATS is configured and the platform is not.
func TestForgottenPlatform(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		env  map[string]string
		says bool
	}{
		"nothing is configured":  {nil, false},
		"only NATS is":           {map[string]string{"USHER_NATS_URL": "nats://nats:4222"}, true},
		"only the platform is":   {map[string]string{"USHER_PLATFORM_URL": "https://platform.example.com"}, false},
		"as usher dev prints it": {map[string]string{"USHER_NATS_URL": "nats://127.0.0.1:14222", "USHER_PLATFORM_URL": "http://127.0.0.1:8480"}, false},
		"both are":               {map[string]string{"USHER_NATS_URL": "nats://nats:4222", "USHER_PLATFORM_URL": "https://platform.example.com"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var errs strings.Builder
			cmd := &cobra.Command{}
			cmd.SetErr(&errs)
			configuration, err := config.Load(cmd, func(name string) (string, bool) { value, found := c.env[name]; return value, found })
			if err != nil {
				t.Fatal(err)
			}
			connect.NewLogin(cmd, configuration)
			if got := errs.String(); strings.Contains(got, "note: this asks the platform at http://127.0.0.1:8480, the default of platform.url") != c.says || !c.says && got != "" {
				t.Errorf("it says %q", got)
			}
		})
	}
}
