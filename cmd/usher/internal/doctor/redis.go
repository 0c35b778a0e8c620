package doctor

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/internal/fleet"
	"usher/internal/readable"
	"usher/queues"
)

func (e *examination) examineRedis(ctx context.Context) []queues.CheckResult {
	c := e.config
	rdb, err := connect.DialRedis(c)
	if err != nil {
		return []queues.CheckResult{checked("Redis", err, "")}
	}
	defer func() { _ = rdb.Close() }() // nothing was written
	doors := e.examineDoors(ctx)
	at := config.HideLogin(c.String("redis.url"))
	if err := e.ask(ctx, func(ctx context.Context) error { return rdb.Ping(ctx).Err() }); err != nil {
		return append([]queues.CheckResult{checked("Redis", fleet.Explain("ask "+at, err), "")}, doors...)
	}
	_ = e.call(ctx, func(ctx context.Context) error { // the reading has the error
		return e.clocks.read(ctx, ownerRedis, func(ctx context.Context) (time.Time, error) { return rdb.Time(ctx).Result() })
	})
	info := map[string]string{}
	_ = e.call(ctx, func(ctx context.Context) error { // some roles may not ask
		text, err := rdb.Info(ctx).Result()
		for line := range strings.Lines(text) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
			info[name] = value
		}
		return err
	})
	version := info["redis_version"]
	if version == "" {
		version = "unknown"
	}
	found := []queues.CheckResult{checked("Redis", nil, fmt.Sprintf("version %s at %s", version, at)), e.examineWrites(ctx, rdb)}
	found = append(found, e.encryptionOf("Redis", "redis.url", "configure tls-port in Redis, and write rediss:// in redis.url"), memoryOfRedis(info))
	return append(found, doors...)
}

// examineWrites reports whether Redis takes writes, without which no lock can be taken.
func (e *examination) examineWrites(ctx context.Context, rdb fleet.Client) queues.CheckResult {
	const what = "writes to Redis"
	err := e.ask(ctx, func(ctx context.Context) error { return fleet.TryNamespace(ctx, rdb, e.config.String("namespace")) })
	if err != nil {
		return checked(what, fleet.Explain("write a key", err), "")
	}
	return checked(what, nil, "a key was stored and removed")
}

// memoryOfRedis reports whether Redis may run out of memory, or drop locks to avoid that.
func memoryOfRedis(info map[string]string) queues.CheckResult {
	const what = "memory of Redis"
	used, err := strconv.ParseUint(info["used_memory"], 10, 64)
	limit, _ := strconv.ParseUint(info["maxmemory"], 10, 64) // absent means none
	policy := info["maxmemory_policy"]
	percent, near := nearLimit(used, limit)
	switch {
	case err != nil:
		return checked(what, nil, "not checked, because this user may not ask (INFO)")
	case limit > 0 && policy != "noeviction":
		return checked(what, nil, fmt.Sprintf("warning: maxmemory-policy is %s: a full Redis drops locks, so that two workers may change a campaign at once: set maxmemory-policy noeviction", readable.Printable(policy)))
	case near:
		return checked(what, nil, fmt.Sprintf("warning: %s of maxmemory is used: a full Redis takes no locks: raise maxmemory; usher needs less than 10 MB", percent))
	case limit == 0:
		return checked(what, nil, readable.Bytes(int64(used))+" used, no limit")
	}
	return checked(what, nil, percent+" of maxmemory is used; nothing is dropped")
}

// examineDoors reports which servers of Redis, and which Sentinels, take commands from anyone.
func (e *examination) examineDoors(ctx context.Context) []queues.CheckResult {
	secure, err := connect.ClientTLS(e.config, "redis")
	if err != nil {
		return nil // the first result has the error
	}
	var doors map[string]error
	what := "login of Redis"
	sentinels := strings.Contains(e.config.String("redis.url"), "+sentinel://")
	if sentinels {
		what = "login of the Sentinels"
	}
	err = e.call(ctx, func(ctx context.Context) (err error) {
		doors, err = fleet.AsStranger(ctx, e.config.String("redis.url"), secure)
		return err
	})
	if err != nil {
		return nil // the first result has the error
	}
	var open, unknown []string
	for _, address := range slices.Sorted(maps.Keys(doors)) {
		switch err := doors[address]; {
		case err == nil:
			open = append(open, address)
		case !fleet.IsRefusal(err):
			unknown = append(unknown, fmt.Sprintf("%s: %v", address, err))
		}
	}
	list := strings.Join(open, ", ")
	switch {
	case len(open) > 0 && sentinels:
		return []queues.CheckResult{checked(what, nil, "warning: "+list+" need none: anyone who reaches them can make usher use another Redis: set requirepass in sentinel.conf, and &sentinel_password=… in redis.url")}
	case len(open) > 0 && !slices.ContainsFunc(open, func(address string) bool { return !isLoopback(address) }):
		return []queues.CheckResult{checked(what, nil, "none is needed, on this machine")}
	case len(open) > 0:
		return []queues.CheckResult{checked(what, nil, "warning: "+list+" need none: anyone who reaches them can take usher's locks and read its access token: set up users as in deploy/redis.acl")}
	case len(unknown) > 0:
		return []queues.CheckResult{checked(what, nil, "not checked: "+strings.Join(unknown, ", "))}
	}
	return []queues.CheckResult{checked(what, nil, "needed")}
}
