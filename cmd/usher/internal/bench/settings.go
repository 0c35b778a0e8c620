package bench

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"

	"usher/cmd/usher/internal/config"
)

// used are the keys of an installation's configuration that a measurement uses. All others have
// their defaults, and above all the platform, the ledger, rules, feeds and alerts: what is not
// in this list cannot be reached.
func used() []string {
	return []string{
		"nats.url", "nats.credentials", "nats.ca", "nats.cert", "nats.key", "nats.replicas", "nats.ack_wait",
		"redis.url", "redis.ca", "redis.cert", "redis.key",
		"lanes.audience", "lanes.bulk", "lanes.campaign", "lanes.rules",
		"upload.batch_ids", "upload.in_flight",
	}
}

// prefix is what the namespaces of measurements begin with.
const prefix = "bench-"

// streamSize is the size of each work stream, which NATS reserves.
const streamSize = 256 << 20

// settings returns the defaults with the installation's servers, and a new namespace.
func settings(installation config.Config) (config.Config, error) {
	c, err := config.Defaults()
	if err != nil {
		return c, err
	}
	id := make([]byte, 8)
	_, _ = rand.Read(id) // never fails
	set := map[string]any{
		"namespace": prefix + hex.EncodeToString(id), "worker": "bench", "nats.max_bytes": streamSize,
		"console.listen": "", "platform.rate": 100_000.0, // the sandbox has no limit
	}
	for _, key := range used() {
		set[key] = installation.Get(key)
	}
	for key, value := range set {
		if err := c.Set(key, value); err != nil {
			return c, fmt.Errorf("configure %s: %w", key, err)
		}
	}
	return c, nil
}
