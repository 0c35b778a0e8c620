package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"usher/cmd/usher/internal/connect"
	"usher/internal/readable"
	"usher/queues"
)

// unseen says what doctor cannot see without the monitoring port.
const unseen = "not checked: whether NATS syncs to the disk, how full its disk is, and how it is encrypted. NATS shows no user these settings, only its monitoring port: " +
	"run doctor --monitor http://127.0.0.1:8222 on the machine of each NATS server (deploy/nats.conf opens this port)"

// examineServersOf is examineServers for a connection. The server of usher dev has no monitoring port.
func (e *examination) examineServersOf(ctx context.Context, nc *nats.Conn) []queues.CheckResult {
	if len(e.monitors) == 0 {
		var info apiInfo
		err := e.call(ctx, func(ctx context.Context) (err error) {
			info, err = userInfo(ctx, nc)
			return err
		})
		if err == nil && slices.Contains(info.Server.Tags, connect.EmbeddedTag) {
			return nil
		}
	}
	return e.examineServers(ctx)
}

// examineServers reads the settings of NATS servers at their monitoring ports.
func (e *examination) examineServers(ctx context.Context) []queues.CheckResult {
	if len(e.monitors) == 0 {
		return []queues.CheckResult{checked("NATS settings", nil, unseen)}
	}
	checks := make([]func() []queues.CheckResult, len(e.monitors))
	for i, url := range e.monitors {
		checks[i] = func() []queues.CheckResult { return e.examineServer(ctx, url) }
	}
	return together(checks...)
}

// varz is what the monitoring port of a NATS server shows.
type varz struct {
	Name         string `json:"server_name"` // its id, if the configuration has no name
	ID           string `json:"server_id"`
	AuthRequired bool   `json:"auth_required"`
	JetStream    struct {
		Config *struct {
			MaxStore     uint64        `json:"max_storage"`
			StoreDir     string        `json:"store_dir"`
			SyncInterval time.Duration `json:"sync_interval"`
			SyncAlways   bool          `json:"sync_always"`
		} `json:"config"`
		Stats struct {
			Store    uint64 `json:"storage"`
			Reserved uint64 `json:"reserved_storage"`
		} `json:"stats"`
	} `json:"jetstream"`
	Cluster struct {
		URLs []string `json:"urls"`
	} `json:"cluster"`
}

func (e *examination) examineServer(ctx context.Context, url string) []queues.CheckResult {
	var v varz
	var stopped bool
	err := e.call(ctx, func(ctx context.Context) (err error) {
		if v, err = readVarz(ctx, url); err == nil {
			stopped, err = hasStopped(ctx, url)
		}
		return err
	})
	if err != nil {
		return []queues.CheckResult{checked("NATS settings at "+url, fmt.Errorf("%w: is nats-server running there? If so, its configuration needs `http: %q`", err, hostOf(url)), "")}
	}
	what := "NATS server " + readable.Printable(v.Name)
	if v.Name == v.ID {
		what = "NATS server at " + hostOf(url)
	}
	settings := v.JetStream.Config
	var found []queues.CheckResult
	switch {
	case stopped: // /varz may still show the settings and the use of before
		found = append(found, checked(what, errors.New("JetStream has shut itself down, as it does when its disk is full: free space and restart nats-server"), ""))
	case settings == nil:
		return []queues.CheckResult{checked(what, errors.New("it has no JetStream: add a jetstream block to its configuration"), "")}
	default:
		found = append(found, checked(what+": sync", nil, v.sync()), checked(what+": storage", nil, v.storage()))
	}
	if !v.AuthRequired {
		found = append(found, checked(what+": users", nil, "warning: everyone who reaches it may log in: set up accounts and users as in deploy/nats.conf"))
	}
	if settings != nil && isLoopback(hostOf(url)) {
		found = append(found, e.examineDisk(what+": disk", settings.StoreDir, "; if they have failed, free space and restart that server"))
	}
	return found
}

// sync says whether an acknowledged message is on the disk.
func (v varz) sync() string {
	switch {
	case v.JetStream.Config.SyncAlways:
		return "every write is synced to the disk before it is acknowledged"
	case len(v.Cluster.URLs) > 0:
		return fmt.Sprintf("every %s, on a cluster: messages of that time are lost only if all copies lose power at once; with sync_interval: always in the jetstream block, not even then", readable.Duration(v.JetStream.Config.SyncInterval))
	}
	return fmt.Sprintf("warning: only every %s: a power failure loses the jobs that were acknowledged since: set sync_interval: always in the jetstream block", readable.Duration(v.JetStream.Config.SyncInterval))
}

func (v varz) storage() string {
	used, limit := v.JetStream.Stats.Store, v.JetStream.Config.MaxStore
	percent, near := nearLimit(used, limit)
	says := fmt.Sprintf("%s of %s (%s) used, %s reserved", readable.Bytes(int64(used)), readable.Bytes(int64(limit)), percent, readable.Bytes(int64(v.JetStream.Stats.Reserved)))
	if near {
		return "warning: " + says + ": a full storage takes no job: give the server more disk, and raise max_file_store in the jetstream block"
	}
	return says
}

func hostOf(url string) string {
	if _, after, found := strings.Cut(url, "://"); found {
		url = after
	}
	host, _, _ := strings.Cut(url, "/")
	return host
}

func readVarz(ctx context.Context, url string) (v varz, err error) {
	status, data, err := readMonitor(ctx, url, "/varz")
	switch {
	case err != nil:
		return v, err
	case status != http.StatusOK:
		return v, fmt.Errorf("/varz answered %d %s", status, http.StatusText(status))
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return v, fmt.Errorf("/varz is not that of a NATS server: %w", err)
	}
	return v, nil
}

// hasStopped reports whether JetStream is configured and does not run. A server that is starting
// gives another reason than this one.
func hasStopped(ctx context.Context, url string) (bool, error) {
	_, data, err := readMonitor(ctx, url, "/healthz?js-enabled-only=true")
	return bytes.Contains(data, []byte("JetStream not enabled")), err
}

// readMonitor reads what a monitoring port answers to a request.
func readMonitor(ctx context.Context, url, request string) (status int, data []byte, err error) {
	get, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(url, "/")+request, nil)
	if err != nil {
		return 0, nil, fmt.Errorf("read --monitor: %w", err)
	}
	response, err := http.DefaultClient.Do(get)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = response.Body.Close() }() // it was only read
	const longest = 1 << 20
	data, err = io.ReadAll(io.LimitReader(response.Body, longest))
	return response.StatusCode, data, err
}
