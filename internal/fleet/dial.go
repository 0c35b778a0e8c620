package fleet

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// callTimeout bounds one call to Redis, which normally takes less than a
// millisecond. If Redis is slower than that, a worker continues without it.
const callTimeout = time.Second

// disableLog switches off the log lines that go-redis writes to standard error;
// the same errors reach the caller. The switch is global to the library.
var disableLog = sync.OnceFunc(logging.Disable)

// errAddress does not repeat the address, because the address may have a password: a
// / or # in a password can move it into any part of the URL.
var errAddress = errors.New("read the Redis address: use redis://[user:password@]host:port[/db], or rediss://… for TLS; db is a number, and / ? # @ in a password are written as %2F %3F %23 %40; " +
	"for Sentinels use redis+sentinel://[user:password@]host:port[/db]?master_name=NAME&addr=host:port&…, with &sentinel_password=… if they have a password; for a cluster use redis+cluster://[user:password@]host:port?addr=host:port&…")

// Client is a client of Redis.
type Client = redis.UniversalClient

// Dial returns a client for an address:
//
//	redis://[user:password@]host:port[/db]                  one server
//	redis+sentinel://[user:password@]host:port[/db]?master_name=NAME&addr=host:port&…
//	redis+cluster://[user:password@]host:port?addr=host:port&…
//
// and with rediss, rediss+sentinel or rediss+cluster for TLS. Each addr is a further
// Sentinel, or a further node of the cluster. User and password are those of the
// servers. The login at the Sentinels is in the parameters sentinel_username and
// sentinel_password; without them, the client does not log in there. secure returns
// the settings of TLS for each connection; nil means the defaults. It needs an address with TLS.
// current returns the address with the login that is valid now, for each connection to a server;
// nil means that the login never changes.
//
// The client connects at its first call. Fleet depends on its settings: no retries (a
// lock whose reply was lost would seem to be held by another worker), deadlines of
// contexts are obeyed, and timeouts are short.
func Dial(address string, secure func() (*tls.Config, error), current func() string) (Client, error) {
	one, topology, query, err := parseAddress(address, secure)
	if err != nil {
		return nil, err
	}
	if current != nil && (one.Username != "" || one.Password != "") {
		one.CredentialsProvider = func() (username, password string) { return loginOf(current(), one) }
	}
	switch topology {
	case "":
		return dialOne(one), nil
	case "sentinel":
		return dialSentinels(one, query)
	case "cluster":
		return dialCluster(one, query)
	}
	return nil, errAddress
}

// loginOf returns the login in an address, or that of last if the address is not valid.
func loginOf(address string, last *redis.Options) (username, password string) {
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return last.Username, last.Password
	}
	password, _ = u.User.Password()
	return u.User.Username(), password
}

// parseAddress returns the settings of the first server of an address, and for several servers
// their topology and the parameters.
func parseAddress(address string, secure func() (*tls.Config, error)) (one *redis.Options, topology string, query url.Values, err error) {
	disableLog()
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Fragment != "" {
		return nil, "", nil, errAddress
	}
	scheme, topology, _ := strings.Cut(u.Scheme, "+")
	if scheme != "redis" && scheme != "rediss" {
		return nil, "", nil, errAddress
	}
	u.Scheme = scheme
	query = u.Query()
	if topology != "" {
		u.RawQuery = ""
	}
	one, err = redis.ParseURL(u.String())
	if err != nil {
		return nil, "", nil, errAddress
	}
	if secure != nil && one.TLSConfig == nil {
		return nil, "", nil, errors.New("read the Redis address: it begins with redis, which does not use TLS: write rediss for a connection with certificates")
	}
	if one.TLSConfig != nil {
		one.TLSConfig.ServerName = "" // each server's certificate is for its own name
	}
	if secure != nil {
		one.Dialer = dialTLS(secure)
	}
	return one, topology, query, nil
}

// dialTLS returns a function that dials with TLS.
func dialTLS(secure func() (*tls.Config, error)) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		settings, err := secure()
		if err != nil {
			return nil, err
		}
		dialer := &tls.Dialer{NetDialer: &net.Dialer{Timeout: callTimeout / 2}, Config: settings}
		return dialer.DialContext(ctx, network, address)
	}
}

func dialOne(o *redis.Options) Client {
	o.MaxRetries = -1
	o.DialerRetries = 1
	o.DialTimeout = callTimeout / 2
	o.ReadTimeout = callTimeout
	o.WriteTimeout = callTimeout
	o.PoolTimeout = callTimeout
	o.ContextTimeoutEnabled = true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return redis.NewClient(o)
}

func dialSentinels(one *redis.Options, query url.Values) (Client, error) {
	o, err := universalOptions(one, query, "addr", "master_name", "sentinel_username", "sentinel_password")
	if err != nil {
		return nil, err
	}
	if o.MasterName = query.Get("master_name"); o.MasterName == "" {
		return nil, errAddress
	}
	o.SentinelUsername, o.SentinelPassword = query.Get("sentinel_username"), query.Get("sentinel_password")
	return redis.NewFailoverClient(o.Failover()), nil
}

func dialCluster(one *redis.Options, query url.Values) (Client, error) {
	o, err := universalOptions(one, query, "addr")
	if err != nil {
		return nil, err
	}
	if one.DB != 0 {
		return nil, fmt.Errorf("%w: a cluster has no databases by number", errAddress)
	}
	return redis.NewClusterClient(o.Cluster()), nil
}

// universalOptions returns the settings of dialOne for several addresses. Parameters
// of the query that are not in known are an error.
func universalOptions(one *redis.Options, query url.Values, known ...string) (*redis.UniversalOptions, error) {
	for name := range query {
		if !slices.Contains(known, name) {
			return nil, errAddress
		}
	}
	addresses := append([]string{one.Addr}, query["addr"]...)
	for _, address := range addresses {
		if host, port, err := net.SplitHostPort(address); err != nil || host == "" || port == "" {
			return nil, errAddress
		}
	}
	return &redis.UniversalOptions{
		Addrs: addresses, Username: one.Username, Password: one.Password, CredentialsProvider: one.CredentialsProvider, DB: one.DB, TLSConfig: one.TLSConfig, Dialer: one.Dialer,
		MaxRetries: -1, DialerRetries: 1, DialTimeout: callTimeout / 2, ReadTimeout: callTimeout, WriteTimeout: callTimeout,
		PoolTimeout: callTimeout, ContextTimeoutEnabled: true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	}, nil
}
