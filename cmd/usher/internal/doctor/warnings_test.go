package doctor

import (
	"crypto/tls"
	"encoding/json"
	"encoding/pem"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"usher/cmd/usher/internal/connect"
	"usher/queues/presence"
)

// The workers that run say which version and which files they have.
func TestVersionsOfWorkers(t *testing.T) {
	t.Parallel()
	c, _ := servers(t)
	nc, err := nats.Connect(c.String("nats.url"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	if f := resultOf(t, c, "workers"); !f.OK || f.Says != "warning: none runs: start `usher run`" {
		t.Errorf("without workers: %+v", f)
	}
	for worker, version := range map[string]string{"a": "1.2.0", "b": "1.2.0", "c": "1.3.0"} {
		h := presence.Answer{Worker: worker, Version: version, Files: map[string]string{"rules": version}}
		if worker == "a" {
			h.Leads = []string{"rules"}
		}
		_, err := nc.Subscribe("usher.workers", func(m *nats.Msg) {
			data, _ := json.Marshal(h) // cannot fail
			_ = m.Respond(data)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	const want = "warning: 3 workers of different versions: 1.2.0 (a, b), 1.3.0 (c): upgrade"
	if f := resultOf(t, c, "workers"); !f.OK || !strings.HasPrefix(f.Says, want) {
		t.Errorf("%+v, want %q", f, want)
	}
	const differs = "warning: rules.files has other files on c than on a, and only those on a count: give all workers the same files"
	if f := resultOf(t, c, "files of workers"); !f.OK || f.Says != differs {
		t.Errorf("%+v, want %q", f, differs)
	}
}

func TestCompareFiles(t *testing.T) {
	t.Parallel()
	files := map[string]string{"feeds": "1"}
	for want, workers := range map[string][]presence.Answer{
		"no worker has rule files or feed files": {{Worker: "a"}},
		"no rule files or feed files differ":     {{Worker: "a", Files: files, Leads: []string{"feeds"}}, {Worker: "b", Files: files}, {Worker: "c"}},
	} {
		if got := compareFiles(workers); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestCompareVersions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		versions  map[string][]string
		own, want string
	}{
		{map[string][]string{"1.2.0": {"a"}}, "1.2.0", "1 worker of version 1.2.0 (a)"},
		{map[string][]string{"1.2.0": {"a", "b"}}, "1.3.0", "warning: 2 workers of version 1.2.0 (a, b), and this is 1.3.0: use"},
		{nil, "1.2.0", "warning: none runs"},
	} {
		if got := compareVersions(c.versions, c.own); !strings.HasPrefix(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if f, differ := versionsOfServers(map[string][]string{"2.12.5": {"nats-2", "nats-1"}, "2.15.2": {"nats-3"}}); !differ || !strings.Contains(f.Says, "2.12.5 (nats-1, nats-2), 2.15.2 (nats-3)") {
		t.Errorf("%+v", f)
	}
}

func TestEncryption(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"redis://127.0.0.1:6379/0":                "none, on this machine",
		"rediss://redis:6379/0":                   "TLS",
		"redis://redis:6379/0":                    "warning: none",
		"redis://[::1]:6379":                      "none, on this machine",
		"redis://localhost":                       "none, on this machine",
		"rediss+sentinel://a:26379?master_name=m": "TLS",
		"redis+sentinel://127.0.0.1:26379?master_name=m&addr=redis-2:26379": "warning: none",
	} {
		e := &examination{config: load(t, map[string]string{"USHER_REDIS_URL": address})}
		if f := e.encryptionOf("Redis", "redis.url", "write rediss://"); !f.OK || !strings.HasPrefix(f.Says, want) {
			t.Errorf("%s: %+v, want %q", address, f, want)
		}
	}
}

// A connection to NATS that uses TLS is seen as such, with the certificate of the server.
func TestEncryptionOfNATS(t *testing.T) {
	t.Parallel()
	secure := mutual(t)
	secure.ClientAuth = tls.NoClientCert
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificates[0].Certificate[0]}), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]natsserver.Options{
		"warning: TLS, a certificate until ": {ServerName: "secure", TLS: true, TLSTimeout: 60, TLSConfig: secure}, // it is valid for an hour
		"none, on this machine":              {ServerName: "plain"},
	} {
		environment := map[string]string{"USHER_NATS_URL": serveCluster(t, o).ClientURL()}
		if o.TLS {
			environment["USHER_NATS_CA"] = ca
		}
		nc, err := connect.DialNATS(load(t, environment), slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(nc.Close)
		if f := encryptionOfNATS(nc); !f.OK || !strings.HasPrefix(f.Says, want) {
			t.Errorf("%+v, want %q", f, want)
		}
	}
}

func TestCertificateThatExpires(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	for days, want := range map[int]string{
		2:  "warning: TLS, a certificate until 2026-03-04: renew it",
		31: "TLS, a certificate until 2026-04-02",
	} {
		if got := withExpiry("TLS", now.AddDate(0, 0, days), now); !strings.HasPrefix(got, want) {
			t.Errorf("%d days: %q, want %q", days, got, want)
		}
	}
}

func TestMemoryOfRedis(t *testing.T) {
	t.Parallel()
	for want, info := range map[string]map[string]string{
		"2.1 MB used, no limit":                      {"used_memory": "2097152", "maxmemory": "0", "maxmemory_policy": "noeviction"},
		"50 % of maxmemory is used":                  {"used_memory": "50", "maxmemory": "100", "maxmemory_policy": "noeviction"},
		"warning: 90 % of maxmemory is used":         {"used_memory": "90", "maxmemory": "100", "maxmemory_policy": "noeviction"},
		"warning: maxmemory-policy is allkeys-lru: ": {"used_memory": "1", "maxmemory": "100", "maxmemory_policy": "allkeys-lru"},
		"not checked":                                {},
	} {
		if f := memoryOfRedis(info); !f.OK || !strings.HasPrefix(f.Says, want) {
			t.Errorf("%+v, want %q", f, want)
		}
	}
}

// How full a disk is comes from the system.
func TestDisk(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	free, size, err := diskSpace(folder)
	if err != nil || size == 0 || free > size {
		t.Errorf("%d of %d free: %v", free, size, err)
	}
	for want, space := range map[string][2]uint64{ // free, size
		"warning: 5.0 GB of 100.0 GB free (5 %) at " + folder + ", less than 10 %: free space":  {5e9, 100e9},
		"warning: 900.0 MB of 2.0 GB free (45 %) at " + folder + ", less than 1 GB: free space": {900e6, 2e9},
		"66.7 MB of 67.1 MB free (99 %) at " + folder + ", less than 100 MB: free space":        {66.7e6, 67.1e6},
		"500.0 MB of 100.0 GB free (0 %) at " + folder + ", less than 1 %: free space":          {500e6, 100e9},
		"50.0 GB of 100.0 GB free (50 %) at " + folder:                                          {50e9, 100e9},
	} {
		e := &examination{space: func(string) (free, size uint64, err error) { return space[0], space[1], nil }}
		problem := !strings.HasPrefix(want, "warning") && strings.Contains(want, "free space")
		if f := e.examineDisk("disk", folder, ""); f.OK == problem || !strings.HasPrefix(f.Says, want) {
			t.Errorf("%+v, want %q", f, want)
		}
	}
	gone := filepath.Join(folder, "gone")
	if f := (&examination{}).examineDisk("disk", gone, ""); !f.OK || !strings.HasPrefix(f.Says, "not checked: ") || !strings.Contains(f.Says, "df -h") {
		t.Errorf("%+v", f)
	}
}
