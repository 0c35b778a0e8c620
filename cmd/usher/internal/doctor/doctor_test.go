package doctor

import (
	"testing"
)

func TestOldNATSVersionsAreRefused(t *testing.T) {
	t.Parallel()
	for version, old := range map[string]bool{"2.12.5": false, "2.11.9": true, "2.12.3": true, "3.0.0": false, "next": false} {
		if err := checkVersion(version); (err != nil) != old {
			t.Errorf("version %s: %v", version, err)
		}
	}
}
