package connect

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/cmd/usher/internal/config"
	"usher/queues"
)

// EmbeddedTag marks the NATS server of usher dev and demo, which only this machine uses.
const EmbeddedTag = "usher-embedded"

// ClientPrefix is what the names of usher's connections to NATS begin with.
const ClientPrefix = "usher "

// DialNATS returns a connection to NATS that reconnects forever, even if the server refuses
// the login, because the login may change: each attempt reads nats.url and nats.credentials
// again.
func DialNATS(c config.Config, logger *slog.Logger) (*nats.Conn, error) {
	servers, login := splitLogin(c.String("nats.url"))
	options := []nats.Option{
		nats.Name(ClientPrefix + WorkerName(c)), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second),
		nats.IgnoreAuthErrorAbort(),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				logger.Warn("disconnected from NATS, reconnecting", "error", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { logger.Info("reconnected to NATS") }),
		nats.ErrorHandler(logErrors(logger)),
	}
	secure, err := ClientTLS(c, "nats")
	if err != nil {
		return nil, err
	}
	if secure != nil {
		options = append(options, nats.Secure(), withTLS(secure, c.String("nats.cert") != ""))
	}
	if d := newDialer(servers, secure); d != nil {
		options = append(options, nats.SkipHostLookup(), func(o *nats.Options) error { o.CustomDialer = d; return nil })
	}
	if path := c.String("nats.credentials"); path != "" {
		options = append(options, currentCredentials(path))
	}
	if login != nil {
		options = append(options, currentLogin(c, login, logger)...)
	}
	nc, err := nats.Connect(servers, options...)
	if err != nil {
		return nil, fmt.Errorf("connect to NATS at %s: %w; %s", config.HideLogin(c.String("nats.url")), err, natsHint(c, err))
	}
	return nc, nil
}

// natsHint says what to do about a failed connection to NATS.
func natsHint(c config.Config, err error) string {
	if errors.Is(err, nats.ErrAuthorization) {
		return "NATS does not know this login: check user and password in nats.url (or in the file of USHER_NATS_URL_FILE), or nats.credentials"
	}
	if _, unknown := errors.AsType[x509.UnknownAuthorityError](err); unknown {
		return "set nats.ca to the file of the authority that signed the certificates of NATS"
	}
	if c.Configured() {
		return "check that NATS runs at nats.url, and that this machine can reach it"
	}
	return "is NATS running? This is the default address: give the configuration with --config, or start `usher dev` to try usher"
}

// withTLS makes each attempt to connect read the settings of TLS again, which have a client
// certificate if hasCert is true.
func withTLS(read func() (*tls.Config, error), hasCert bool) nats.Option {
	return func(o *nats.Options) error {
		o.RootCAsCB = func() (*x509.CertPool, error) {
			settings, err := read()
			if err != nil {
				return nil, err
			}
			return settings.RootCAs, nil
		}
		if !hasCert {
			return nil
		}
		o.TLSCertCB = func() (tls.Certificate, error) {
			settings, err := read()
			if err != nil {
				return tls.Certificate{}, err
			}
			return settings.Certificates[0], nil
		}
		return nil
	}
}

// splitLogin returns the URLs of servers without their login, and the login. If the servers
// have no login or different ones, it is nil.
func splitLogin(raw string) (servers string, login *url.Userinfo) {
	urls := strings.Split(raw, ",")
	for i, one := range urls {
		if one = strings.TrimSpace(one); !strings.Contains(one, "://") {
			one = "nats://" + one
		}
		u, err := url.Parse(one)
		if err != nil || u.User != nil && login != nil && u.User.String() != login.String() {
			return raw, nil
		}
		if u.User != nil {
			login, u.User = u.User, nil
		}
		urls[i] = u.String()
	}
	return strings.Join(urls, ","), login
}

// currentLogin makes each attempt to connect read the login of nats.url again, so that a
// worker follows a change of the password. If the configuration is unreadable, the login
// stays the same. A user without a password is a token.
func currentLogin(c config.Config, login *url.Userinfo, logger *slog.Logger) []nats.Option {
	read := func() *url.Userinfo {
		now, err := c.Reload()
		if err != nil {
			logger.Warn("reading the login for NATS failed, so the last valid one is used", "error", err)
		}
		if _, current := splitLogin(now.String("nats.url")); current != nil {
			return current
		}
		return login
	}
	return []nats.Option{
		nats.UserInfoHandler(func() (user, password string) {
			login := read()
			if password, isUser := login.Password(); isUser {
				return login.Username(), password
			}
			return "", ""
		}),
		nats.TokenHandler(func() string {
			login := read()
			if _, isUser := login.Password(); isUser {
				return ""
			}
			return login.Username()
		}),
	}
}

// currentCredentials makes each attempt to connect read a file of credentials again. While it
// cannot be read, the last ones are used.
func currentCredentials(path string) nats.Option {
	file := &lastRead{path: path}
	current := func() (nats.Options, error) {
		var o nats.Options
		data, err := file.read()
		if err == nil {
			err = nats.UserCredentialBytes(data)(&o)
		}
		return o, err
	}
	return nats.UserJWT(func() (string, error) {
		o, err := current()
		if err != nil {
			return "", err
		}
		return o.UserJWT()
	}, func(nonce []byte) ([]byte, error) {
		o, err := current()
		if err != nil {
			return nil, err
		}
		return o.SignatureCB(nonce)
	})
}

// UntilClosed returns contexts that end when their parents do, or when the connection is
// closed for good, because a worker without a connection can do nothing. lost then returns
// why it was closed.
func UntilClosed(fetch, work context.Context, nc *nats.Conn) (fetching, working context.Context, lost func() error) {
	fetching, stopFetching := context.WithCancelCause(fetch)
	working, stopWorking := context.WithCancelCause(work)
	closed := make(chan error, 1)
	nc.SetClosedHandler(func(nc *nats.Conn) {
		err := fmt.Errorf("the connection to NATS is closed for good: %w", cmp.Or(nc.LastError(), nats.ErrConnectionClosed))
		closed <- err
		stopFetching(err)
		stopWorking(err)
	})
	return fetching, working, func() error {
		select {
		case err := <-closed:
			return err
		default:
			return nil
		}
	}
}

// waitInterval is the time between two attempts of a worker that waits for NATS at its
// start.
const waitInterval = 2 * time.Second

// AwaitNATS is like DialNATS, but waits and logs while no server responds, or while a proxy
// in front of NATS closes the connection, because a worker may start before NATS does.
func AwaitNATS(ctx context.Context, c config.Config, logger *slog.Logger) (*nats.Conn, error) {
	for {
		nc, err := DialNATS(c, logger)
		if err == nil || !isUnreachable(err) {
			return nc, err
		}
		logger.Warn("waiting for NATS", "error", err)
		if usher.Sleep(ctx, waitInterval) != nil {
			return nil, err
		}
	}
}

// isUnreachable reports whether a connection failed because of the network or because NATS
// does not run, and not because of the login or the configuration.
func isUnreachable(err error) bool {
	var network net.Error
	return errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, io.EOF) || errors.As(err, &network)
}

// Drain sends what is buffered and closes the connection. It waits for at most five
// seconds.
func Drain(nc *nats.Conn) {
	closed := make(chan struct{})
	nc.SetClosedHandler(func(*nats.Conn) { close(closed) })
	if nc.Drain() != nil {
		nc.Close()
		return
	}
	select {
	case <-closed:
	case <-time.After(5 * time.Second):
		nc.Close()
	}
}

// WorkerName returns the name of this process in records and locks.
func WorkerName(c config.Config) string {
	if name := c.String("worker"); name != "" {
		return name
	}
	return fmt.Sprintf("%s-%d", hostName(), os.Getpid())
}

func hostName() string {
	host, err := os.Hostname()
	if err != nil {
		return "host"
	}
	return host
}

// noStorage is JetStream's code for streams that do not fit on its disk.
const noStorage jetstream.ErrorCode = 10047

// Declare creates or updates the streams, consumers and buckets. If a permission is missing,
// it returns at once, with an error that names the permission.
func Declare(ctx context.Context, c config.Config, logger *slog.Logger) error {
	nc, err := DialNATS(c, logger)
	if err != nil {
		return err
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return fmt.Errorf("open JetStream: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	err = UnlessRefused(ctx, nc, logger, func(ctx context.Context) error { return queues.Declare(ctx, js, QueueOptions(c, logger)) })
	if errors.Is(err, nats.ErrPermissionViolation) {
		return fmt.Errorf("%w: this login may not declare streams: run `usher migrate` with the administrator's login, such as the user admin of deploy/nats.conf", err)
	}
	var refused *jetstream.APIError
	if errors.As(err, &refused) && refused.ErrorCode == noStorage {
		return fmt.Errorf("%w: three streams of %d bytes each (nats.max_bytes) must fit into the storage of NATS, by default three quarters of its disk's free space: free some, or lower nats.max_bytes",
			err, c.Int64("nats.max_bytes"))
	}
	return err
}
