package doctor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/lanes"
	"usher/queues/presence"
	"usher/queues/store"
)

func (e *examination) examineNATS(ctx context.Context) []queues.CheckResult {
	c := e.config
	nc, err := connect.DialNATS(c, slog.New(slog.DiscardHandler))
	if err != nil {
		return append([]queues.CheckResult{checked("NATS", err, "")}, together(
			func() []queues.CheckResult { return e.examineRoutes(ctx, nil) },
			func() []queues.CheckResult { return e.examineServers(ctx) },
		)...)
	}
	defer nc.Close()
	var refusals refusals
	nc.SetErrorHandler(refusals.note)
	version := nc.ConnectedServerVersion()
	says := fmt.Sprintf("version %s at %s", version, config.HideLogin(nc.ConnectedUrl()))
	if nc.ConnectedClusterName() != "" {
		says = withPowerCut(says, version)
	}
	found := []queues.CheckResult{checked("NATS", checkVersion(version), says)}
	js, err := jetstream.New(nc)
	if err != nil {
		return append(found, checked("JetStream", err, ""))
	}
	var account *jetstream.AccountInfo
	err = connect.UnlessRefused(ctx, nc, slog.New(slog.DiscardHandler), func(ctx context.Context) error {
		return e.ask(ctx, func(ctx context.Context) (err error) {
			account, err = js.AccountInfo(ctx)
			return err
		})
	})
	switch {
	case errors.Is(err, nats.ErrPermissionViolation):
		found = append(found, checked("NATS permissions", mayNotCheck(err), ""))
	case err != nil:
		found = append(found, checked("JetStream", explainJetStream(err), ""))
	default:
		says = fmt.Sprintf("%s, %s", readable.Count(account.Streams, "stream"), readable.Bytes(int64(account.Store)))
		found = append(found, checked("JetStream", nil, withLimits(says, account)))
	}
	checks := []func() []queues.CheckResult{func() []queues.CheckResult { return e.examineAccount(ctx, nc) }}
	if err == nil { // the other checks need no JetStream
		checks = append(checks, func() []queues.CheckResult {
			return queues.Check(ctx, js, connect.QueueOptions(c, slog.New(slog.DiscardHandler)), e.limits.call, e.limits.check)
		}, func() []queues.CheckResult { return e.examineStorage(ctx, nc) })
	}
	checks = append(checks,
		func() []queues.CheckResult { return e.examineRoutes(ctx, nc.Servers()) },
		func() []queues.CheckResult { return e.examineServersOf(ctx, nc) },
	)
	found = append(append(found, encryptionOfNATS(nc)), together(checks...)...)
	found = append(found, refusals.results()...)
	if err != nil {
		return found
	}
	return append(found, e.examinePermissions(ctx, nc)...)
}

// withLimits adds how much of the account's storage is used, if NATS limits it.
func withLimits(says string, account *jetstream.AccountInfo) string {
	if account.Limits.MaxStore <= 0 {
		return says
	}
	percent, near := nearLimit(account.Store, uint64(account.Limits.MaxStore))
	says += fmt.Sprintf(", %s of the account's %s", percent, readable.Bytes(account.Limits.MaxStore))
	if near {
		return "warning: " + says + ": an account without space takes no job: raise max_file of the account in the configuration of nats-server"
	}
	return says
}

// examinePermissions reports what the login of workers may not do: to delete the messages of jobs
// that have ended, and to release jobs that wait. A login that may not take jobs is not one of them.
// NATS answers these empty requests with an error, because they expect another stream or have no
// body, and stores none; a missing response is left to the check of the stream.
func (e *examination) examinePermissions(ctx context.Context, nc *nats.Conn) (found []queues.CheckResult) {
	n := store.Names{Namespace: e.config.String("namespace")}
	if e.refusal(ctx, nc, "$JS.API.CONSUMER.MSG.NEXT."+n.JobsStream()+".doctor") != nil {
		return nil
	}
	const ended = "jobs that have ended stay on their stream and are delivered again and again"
	for _, needed := range []struct{ subject, without string }{
		{"$JS.API.STREAM.MSG.DELETE." + n.JobsStream(), ended},
		{"$JS.API.STREAM.MSG.DELETE." + n.CampaignsStream(), ended},
		{n.Released(string(lanes.Audience)), "jobs that wait for others on their target never start"},
		{n.ReleasedFirst(string(lanes.Campaign)), "a pause waits behind all others"},
	} {
		if err := e.refusal(ctx, nc, needed.subject); err != nil {
			found = append(found, checked("NATS permissions", fmt.Errorf(
				"%w: %s; allow this subject to the user of the workers, as the role WORKER of deploy/nats.conf does", err, needed.without), ""))
		}
	}
	return found
}

// refusal returns an error if NATS does not let this login publish to a subject.
func (e *examination) refusal(ctx context.Context, nc *nats.Conn, subject string) error {
	request := nats.NewMsg(subject)
	request.Header.Set(jetstream.ExpectedStreamHeader, "none")
	err := connect.UnlessRefused(ctx, nc, slog.New(slog.DiscardHandler), func(ctx context.Context) error {
		return e.call(ctx, func(ctx context.Context) error {
			_, err := nc.RequestMsgWithContext(ctx, request)
			return err
		})
	})
	if errors.Is(err, nats.ErrPermissionViolation) {
		return err
	}
	return nil
}

// refusals are the subjects to which NATS does not let this login publish. NATS does not
// respond to such a request; it reports the refusal to the error handler.
type refusals struct {
	mu    sync.Mutex
	texts []string
}

func (r *refusals) note(_ *nats.Conn, _ *nats.Subscription, err error) {
	if !errors.Is(err, nats.ErrPermissionViolation) || strings.Contains(err.Error(), "$SYS.") { // examineAccount reports those
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.texts = append(r.texts, err.Error())
}

func (r *refusals) results() []queues.CheckResult {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.texts) == 0 {
		return nil
	}
	return []queues.CheckResult{checked("NATS permissions", mayNotCheck(errors.New(r.texts[0])), "")}
}

// mayNotCheck adds to a refusal what to do.
func mayNotCheck(refused error) error {
	return fmt.Errorf("%w: this login may not check everything: run doctor with the administrator's login, such as the user admin of deploy/nats.conf; a publisher's login may only publish jobs", refused)
}

// explainJetStream adds to the error what to do if JetStream does not respond.
func explainJetStream(err error) error {
	switch {
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled):
		return fmt.Errorf("%w: if the configuration of nats-server has a jetstream block, JetStream has shut itself down, as it does when its disk is full: free space and restart nats-server; otherwise add the block, or start it with -js", err)
	case errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return fmt.Errorf("%w: add `jetstream: enabled` to the account in the configuration of nats-server", err)
	}
	return fmt.Errorf("%w: NATS is connected, but JetStream does not respond: %s; more than half of its servers must run. `usher doctor --monitor` on their machines says which disk or server it is", err, presence.WritesAgain)
}

// checkVersion returns an error if a NATS server cannot publish a job's parts as one
// atomic batch, or is known to lose messages.
func checkVersion(version string) error {
	switch v := versionOf(version); {
	case v.olderThan(natsVersion{2, 12, 0}):
		return fmt.Errorf("version %s: usher needs 2.12 or newer, for atomic batches", version)
	case !v.olderThan(natsVersion{2, 12, 3}) && v.olderThan(natsVersion{2, 12, 5}):
		return fmt.Errorf("version %s loses messages of replicated work queues: use the newest 2.12, or a later one", version)
	}
	return nil
}

// withPowerCut adds a warning to what is said of a cluster if its servers are known to lose the
// last sequence number of an empty stream in a power cut: 2.15.0 began to sync a replicated
// stream only together with its Raft snapshot. TestQueueAfterPowerCut tells whether a newer
// version does so.
func withPowerCut(says, version string) string {
	if v := versionOf(version); v.olderThan(natsVersion{2, 15, 0}) || !v.olderThan(natsVersion{2, 15, 4}) {
		return says
	}
	return warning + says + ": if all servers lose power after their disks were full, a work queue of this version may find no leader, and takes no jobs: use 2.14.10"
}

// natsVersion has the major number of a version, the minor one, and that of the patch.
type natsVersion [3]int

// versionOf reads a version. An unreadable one counts as a new one.
func versionOf(text string) natsVersion {
	var v natsVersion
	if n, _ := fmt.Sscanf(text, "%d.%d.%d", &v[0], &v[1], &v[2]); n < len(v) {
		return natsVersion{math.MaxInt}
	}
	return v
}

func (v natsVersion) olderThan(other natsVersion) bool { return slices.Compare(v[:], other[:]) < 0 }
