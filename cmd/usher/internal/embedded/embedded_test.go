package embedded

import (
	"strings"
	"testing"
)

// An address that cannot be read starts no server, which would listen to every network.
func TestInvalidAddress(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "127.0.0.1", "127.0.0.1:nats"} {
		server, err := StartNATS(t.Context(), address, t.TempDir())
		if err == nil {
			server.Stop()
		}
		if err == nil || !strings.HasPrefix(err.Error(), "start NATS: ") {
			t.Errorf("NATS at %q: %v", address, err)
		}
	}
}
