package bench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/internal/fleet"
	"usher/internal/sandbox"
)

// installation are the connections to the servers that are measured.
type installation struct {
	nc        *nats.Conn
	js        jetstream.JetStream
	rdb       fleet.Client
	namespace string
}

func (b *bench) open(ctx context.Context) (*installation, error) {
	nc, err := connect.DialNATS(b.config, b.logger)
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(nc)
	if err != nil {
		nc.Close()
		return nil, fmt.Errorf("open JetStream: %w", err)
	}
	rdb, err := connect.DialRedis(b.config)
	if err != nil {
		nc.Close()
		return nil, err
	}
	i := &installation{nc: nc, js: js, rdb: rdb, namespace: b.config.String("namespace")}
	if err := fleet.TryNamespace(ctx, rdb, i.namespace); err != nil {
		i.close()
		return nil, fmt.Errorf("write to Redis at %s: %w: bench needs a login that may write keys that begin with %s, such as the user admin of deploy/redis.acl", config.HideLogin(b.config.String("redis.url")), err, prefix)
	}
	return i, nil
}

func (i *installation) close() {
	i.nc.Close()
	_ = i.rdb.Close() // nothing is being written
}

// cleanTime bounds the removal of what a measurement made.
const cleanTime = time.Minute

// remove removes what the measurement made, also after Ctrl-C: the keys of Redis, and the streams
// and buckets unless NATS refused to declare them.
func (b *bench) remove(ctx context.Context, refused bool) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanTime)
	defer cancel()
	err := fleet.RemoveNamespace(ctx, b.rdb, b.namespace)
	if !refused {
		_, deleted := b.deleteStreams(ctx, func(namespace string) bool { return namespace == b.namespace })
		err = errors.Join(err, deleted)
	}
	if err != nil {
		return fmt.Errorf("remove the namespace %s: %w: run usher bench --against %s --clean", b.namespace, err, b.against)
	}
	return nil
}

// deleteStreams deletes the streams and buckets of the namespaces of measurements that match, and
// returns their names. It deletes nothing else: a namespace is taken from the names that usher
// gives its streams and buckets.
func (i *installation) deleteStreams(ctx context.Context, matches func(namespace string) bool) (deleted []string, err error) {
	names := i.js.StreamNames(ctx)
	for name := range names.Name() {
		if namespace, ok := namespaceOf(name); ok && matches(namespace) {
			deleted = append(deleted, name)
		}
	}
	errs := []error{names.Err()}
	for _, name := range deleted {
		if err := i.js.DeleteStream(ctx, name); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			errs = append(errs, fmt.Errorf("delete stream %s: %w", name, err))
		}
	}
	return deleted, errors.Join(errs...)
}

var streamName = regexp.MustCompile(`^(?:KV_)?(` + prefix + `[0-9a-f]{16})_(?:USHER_[A-Z]+|usher_[a-z]+)$`)

// namespaceOf returns the namespace of a stream of a measurement.
func namespaceOf(stream string) (string, bool) {
	m := streamName.FindStringSubmatch(stream)
	if m == nil {
		return "", false
	}
	return m[1], true
}

// cleanUp removes what earlier measurements left.
func (b *bench) cleanUp(ctx context.Context) error {
	deleted, err := b.deleteStreams(ctx, func(string) bool { return true })
	if err != nil {
		return err
	}
	namespaces := map[string]bool{}
	for _, name := range deleted {
		namespace, _ := namespaceOf(name)
		namespaces[namespace] = true
	}
	for namespace := range namespaces {
		if err := fleet.RemoveNamespace(ctx, b.rdb, namespace); err != nil {
			return err
		}
	}
	says := "there is nothing to remove"
	if len(deleted) > 0 {
		says = "removed " + strings.Join(deleted, ", ")
	}
	_, err = fmt.Fprintln(b.out, says)
	return err
}

// platform is the sandbox, which notes when requests that pause or resume arrive.
type platform struct {
	url      string
	box      *sandbox.Sandbox
	server   *http.Server
	serving  sync.WaitGroup
	arrivals chan time.Time
}

// startPlatform serves the sandbox on loopback. It keeps no sets of digests, which would take
// longer than what is measured.
func startPlatform(ctx context.Context) (*platform, error) {
	box, err := sandbox.Open(sandbox.Options{Members: "fingerprint", ApprovalDelay: -1})
	if err != nil {
		return nil, err
	}
	listener, err := connect.Listen(ctx, "127.0.0.1:0", "the sandbox")
	if err != nil {
		return nil, errors.Join(err, box.Close())
	}
	p := &platform{url: "http://" + listener.Addr().String(), box: box, arrivals: make(chan time.Time, 1)}
	p.server = &http.Server{Handler: p, ReadHeaderTimeout: 10 * time.Second}
	p.serving.Go(func() { _ = p.server.Serve(listener) }) // returns after Close
	return p, nil
}

// ServeHTTP implements http.Handler.
func (p *platform) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/status") {
		select {
		case p.arrivals <- time.Now():
		default: // a second creative of the same action
		}
	}
	p.box.ServeHTTP(w, r)
}

func (p *platform) stop() error {
	err := p.box.Close() // before the server, because it releases requests
	_ = p.server.Close()
	p.serving.Wait()
	return err
}
