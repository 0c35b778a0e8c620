package fleet

import (
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

// patience is how long one call to Redis may take, all in all: its answers
// take less than a millisecond, and whoever waits longer is better off without.
const patience = time.Second

// quiet switches go-redis's own log lines off. They go to standard error, past
// our logger and its format; what they say comes back as an error anyway. The
// switch is the library's global, hence once.
var quiet sync.Once

// errAddress is what is wrong with an address. It does not repeat it: an address
// may hold a password, and one with a / or # in it ends up in any part of the URL.
var errAddress = errors.New("read the Redis address: accepted is redis://[user:password@]host:port[/db], or rediss://… for TLS, with db a number and / ? # @ in a password written as %2F %3F %23 %40; " +
	"of Sentinels redis+sentinel://[user:password@]host:port[/db]?master_name=NAME&addr=host:port&…, of a cluster redis+cluster://[user:password@]host:port?addr=host:port&…")

// Dial returns a client for address:
//
//	redis://[user:password@]host:port[/db]                  one server
//	redis+sentinel://[user:password@]host:port[/db]?master_name=NAME&addr=host:port&…
//	redis+cluster://[user:password@]host:port?addr=host:port&…
//
// and rediss, rediss+sentinel and rediss+cluster for TLS. Each addr is one more
// Sentinel, or one more node to begin at; user and password are those of the
// servers, and of the Sentinels too.
//
// It connects at the first call. Its settings are what Fleet counts on, so a
// client made otherwise needs them too: no retries of its own (a lock whose reply
// was lost would read as held by another), deadlines of contexts obeyed, and a
// quick end to what hangs.
func Dial(address string) (redis.UniversalClient, error) {
	quiet.Do(logging.Disable)
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Fragment != "" {
		return nil, errAddress
	}
	scheme, topology, _ := strings.Cut(u.Scheme, "+")
	if scheme != "redis" && scheme != "rediss" {
		return nil, errAddress
	}
	u.Scheme = scheme
	query := u.Query()
	if topology != "" {
		u.RawQuery = ""
	}
	one, err := redis.ParseURL(u.String())
	if err != nil {
		return nil, errAddress
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

func dialOne(o *redis.Options) redis.UniversalClient {
	o.MaxRetries = -1
	o.DialerRetries = 1
	o.DialTimeout = patience / 2
	o.ReadTimeout = patience
	o.WriteTimeout = patience
	o.PoolTimeout = patience
	o.ContextTimeoutEnabled = true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return redis.NewClient(o)
}

func dialSentinels(one *redis.Options, query url.Values) (redis.UniversalClient, error) {
	o, err := several(one, query, "addr", "master_name")
	if err != nil {
		return nil, err
	}
	if o.MasterName = query.Get("master_name"); o.MasterName == "" {
		return nil, errAddress
	}
	o.SentinelUsername, o.SentinelPassword = one.Username, one.Password
	return redis.NewFailoverClient(o.Failover()), nil
}

func dialCluster(one *redis.Options, query url.Values) (redis.UniversalClient, error) {
	o, err := several(one, query, "addr")
	if err != nil {
		return nil, err
	}
	if one.DB != 0 {
		return nil, fmt.Errorf("%w: a cluster has no databases by number", errAddress)
	}
	return redis.NewClusterClient(o.Cluster()), nil
}

// several is as dialOne has it, for more than one address; known are the names
// that the query may have.
func several(one *redis.Options, query url.Values, known ...string) (*redis.UniversalOptions, error) {
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
		Addrs: addresses, Username: one.Username, Password: one.Password, DB: one.DB, TLSConfig: one.TLSConfig,
		MaxRetries: -1, DialerRetries: 1, DialTimeout: patience / 2, ReadTimeout: patience, WriteTimeout: patience,
		PoolTimeout: patience, ContextTimeoutEnabled: true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	}, nil
}
