package doctor

import (
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/embedded"
	"usher/internal/sandbox"
)

// doctor names the clock that is wrong: this machine's if it differs from all others,
// otherwise the one that differs.
func TestClocks(t *testing.T) {
	t.Parallel()
	const own, agrees = "synchronize this machine's by NTP", "agrees with this machine's"
	for name, c := range map[string]struct {
		ahead, redis time.Duration // of this machine's clock and of Redis's
		says         map[string]string
	}{
		"all agree":         {says: map[string]string{"NATS": agrees, "Redis": agrees, "the platform": agrees}},
		"this one is fast":  {ahead: time.Hour, says: map[string]string{"NATS": own, "Redis": own, "the platform": own}},
		"this one is slow":  {ahead: -time.Hour, says: map[string]string{"NATS": own, "Redis": own, "the platform": own}},
		"Redis's is fast":   {redis: time.Hour, says: map[string]string{"NATS": agrees, "Redis": "ahead of this machine's: synchronize its server's clock by NTP", "the platform": agrees}},
		"all of them apart": {ahead: time.Hour, redis: 2 * time.Hour, says: map[string]string{"NATS": "synchronize both by NTP", "Redis": "synchronize both by NTP", "the platform": "synchronize both by NTP"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg, redis := servers(t)
			if c.redis != 0 {
				redis.SetTime(time.Now().Add(c.redis))
			}
			says := map[string]string{}
			for _, f := range (&examination{config: cfg, limits: usual, clocks: clocks{now: func() time.Time { return time.Now().Add(c.ahead) }}}).examine(t.Context()) {
				owner, isClock := strings.CutPrefix(f.What, "clock of ")
				if !isClock {
					continue
				}
				says[owner] = f.Says
				if f.OK != strings.Contains(f.Says, agrees) {
					t.Errorf("result %+v", f)
				}
			}
			if len(says) != len(c.says) {
				t.Errorf("results %v", says)
			}
			for owner, want := range c.says {
				if !strings.Contains(says[owner], want) {
					t.Errorf("of %s it says %q, want %q", owner, says[owner], want)
				}
			}
		})
	}
}

// A small difference is a warning, unless the round trip may explain it.
func TestSmallDifferencesOfClocks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ahead, round time.Duration
		ok           bool
		says         string
	}{
		"less than the tolerance": {2 * time.Second, 0, true, "agrees with this machine's"},
		"within the round trip":   {-5 * time.Second, 4 * time.Second, true, "agrees with this machine's"},
		"a few seconds ahead":     {5 * time.Second, 0, true, "warning: 5.0s behind this machine's: synchronize both by NTP"},
		"a few seconds behind":    {-5 * time.Second, 0, true, "warning: 5.0s ahead of this machine's: synchronize both by NTP"},
		"half a minute ahead":     {31 * time.Second, 0, false, "31s behind this machine's: synchronize both by NTP"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clocks := clocks{readings: []reading{{owner: ownerNATS, least: c.ahead, most: c.ahead + c.round}}}
			if f := clocks.results()[0]; f.OK != c.ok || f.Says != c.says {
				t.Errorf("result %+v", f)
			}
		})
	}
}

// servers starts NATS, Redis and the platform and returns a configuration that names
// them.
func servers(t *testing.T) (config.Config, *miniredis.Miniredis) {
	t.Helper()
	nats, err := embedded.StartNATS(t.Context(), "127.0.0.1:0", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nats.Stop)
	redis := miniredis.RunT(t)
	box, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	platform := httptest.NewServer(box)
	t.Cleanup(func() {
		platform.Close()
		_ = box.Close()
	})
	c := load(t, map[string]string{"USHER_NATS_URL": nats.URL(), "USHER_REDIS_URL": "redis://" + redis.Addr(), "USHER_PLATFORM_URL": platform.URL})
	if err := connect.Declare(t.Context(), c, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	return c, redis
}

// load returns the configuration of an environment.
func load(t *testing.T, environment map[string]string) config.Config {
	t.Helper()
	c, err := config.Load(&cobra.Command{}, func(key string) (string, bool) {
		value, found := environment[key]
		return value, found
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
