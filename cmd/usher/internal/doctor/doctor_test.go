package doctor

import (
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"usher/cmd/usher/internal/embedded"
)

func TestOldNATSVersionsAreRefused(t *testing.T) {
	t.Parallel()
	for version, old := range map[string]bool{"2.12.5": false, "2.11.9": true, "2.12.3": true, "3.0.0": false, "next": false} {
		if err := checkVersion(version); (err != nil) != old {
			t.Errorf("version %s: %v", version, err)
		}
	}
}

func TestClustersWithoutLeaderAfterPowerCut(t *testing.T) {
	t.Parallel()
	for version, warned := range map[string]bool{"2.12.5": false, "2.14.10": false, "2.15.0": true, "2.15.3": true, "2.15.4": false, "3.0.0": false, "next": false} {
		if says := withPowerCut("version "+version, version); strings.HasPrefix(says, "warning: ") != warned {
			t.Errorf("version %s: %s", version, says)
		}
	}
}

// The NATS server of usher dev has one account, which needs no warning.
func TestEmbeddedServerHasNoWarning(t *testing.T) {
	t.Parallel()
	server, err := embedded.StartNATS(t.Context(), "127.0.0.1:0", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	nc, err := nats.Connect(server.URL(), nats.Timeout(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	if f := (&examination{limits: usual}).examineAccount(t.Context(), nc)[0]; !f.OK || strings.Contains(f.Says, "warning") || !strings.Contains(f.Says, "usher dev") {
		t.Errorf("result %+v, want no warning", f)
	}
}
