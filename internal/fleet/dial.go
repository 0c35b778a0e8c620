package fleet

import (
	"errors"
	"net/url"
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

// Dial returns a client for address, redis://[user:password@]host:port[/db] or
// rediss://… for TLS. It connects at the first call. Its settings are what
// Fleet counts on, so a client made otherwise needs them too: no retries of its
// own (a lock whose reply was lost would read as held by another), deadlines of
// contexts obeyed, and a quick end to what hangs.
//
// An error does not repeat the address: it may hold a password.
func Dial(address string) (redis.UniversalClient, error) {
	quiet.Do(logging.Disable)
	o, err := redis.ParseURL(address)
	u, urlErr := url.Parse(address)
	// A password with a / or # in it ends up in any part of the URL, and a
	// parser's error repeats that part.
	if err != nil || urlErr != nil || u.Hostname() == "" || u.Fragment != "" || (u.Scheme != "redis" && u.Scheme != "rediss") {
		return nil, errors.New("read the Redis address: accepted is redis://[user:password@]host:port[/db], or rediss://… for TLS, with db a number and / ? # @ in a password written as %2F %3F %23 %40")
	}
	o.MaxRetries = -1
	o.DialerRetries = 1
	o.DialTimeout = patience / 2
	o.ReadTimeout = patience
	o.WriteTimeout = patience
	o.PoolTimeout = patience
	o.ContextTimeoutEnabled = true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return redis.NewClient(o), nil
}
