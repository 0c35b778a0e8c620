package config

import (
	"math"
	"slices"
	"sync"
	"time"
)

// DefaultAckWait is how long JetStream waits for a word of a worker.
const DefaultAckWait = 30 * time.Second

// setting is one key of the configuration.
type setting struct {
	key    string
	value  any // the default; its type is the key's: string, bool, int, float64, time.Duration or []string
	about  string
	takes  accepts // all of the type where it says nothing
	secret bool    // never printed
}

// settings are all keys. Flag, environment (USHER_ and the key in capitals,
// dots as underscores), file and default come in this order. They are made once,
// on demand: every command asks for them while it is put together.
var settings = sync.OnceValue(func() []setting {
	return []setting{
		{key: "namespace", value: "", takes: nameOrNone(), about: "prefixes streams, subjects, buckets and Redis keys, so that two ushers share servers"},
		{key: "worker", value: "", about: "names this process in records and locks; default host and process id"},

		{key: "nats.url", value: "nats://127.0.0.1:4222", takes: natsURLs(), about: "NATS with JetStream; several servers with commas"},
		{key: "nats.credentials", value: "", about: "a file with NATS user credentials"},
		{key: "nats.replicas", value: 1, takes: wholeFrom(1, 5), about: "copies of streams and buckets; 3 on a cluster of three"},
		{key: "nats.ack_wait", value: DefaultAckWait, takes: lastingFrom(time.Second), about: "after which the work of a worker that is not heard of is another's; a change needs `usher migrate`"},
		{key: "nats.max_bytes", value: 1 << 30, takes: wholeFrom(1<<20, math.MaxInt), about: "size of each work stream; a full one refuses jobs, it never drops them"},

		{key: "redis.url", value: "redis://127.0.0.1:6379/0", takes: redisURL(), about: "Redis: campaign locks, rate limits, the access token; `redis+sentinel://host:port?master_name=NAME&addr=host:port` for Sentinels, `redis+cluster://host:port?addr=host:port` for a cluster"},

		{key: "platform.url", value: "http://127.0.0.1:8480", takes: platformURL(), about: "the platform's base URL, without /v3"},
		{key: "platform.username", value: "sandbox", takes: something(), about: "the API user"},
		{key: "platform.password", value: "sandbox", about: "its password", secret: true},
		{key: "platform.advertiser", value: "SANDBOX1", takes: something(), about: "the advertiser of jobs that name none"},
		{key: "platform.timeout", value: time.Minute, takes: lastingFrom(time.Second), about: "how long one call may take without progress"},
		{key: "platform.rate", value: 100.0, takes: rateAbove0(), about: "calls a second and advertiser, over all workers"},
		{key: "platform.burst", value: 0, takes: wholeFrom(0, math.MaxInt), about: "calls that may come at once after a pause; 0: as many as keep every second below 105 % of the rate"},
		{key: "platform.reserve_percent", value: 20.0, takes: percentTo(90), about: "share of the rate that only campaign jobs may use; at least 1/s"},

		{key: "sources.allow", value: []string{}, about: "places that jobs may read exports from: folders, or URLs of https servers and of buckets up to a path; none means inline ids only"},
		{key: "sources.buckets", value: []string{}, takes: bucketURLs(), about: "options of buckets, as their gocloud URLs: `s3://crm-exports?region=eu-central-1`; credentials come from the environment"},
		{key: "sources.https_ca", value: "", about: "a file of certificates (PEM) of authorities that https servers may have, beside the system's"},
		{key: "sources.private_addresses", value: []string{}, takes: hosts(), about: "addresses and networks, of those that are not public, that exports may be read from by https"},
		{key: "sources.part_bytes", value: 32 << 20, takes: wholeFrom(64<<10, math.MaxInt), about: "bytes of a part of a large export"},
		{key: "sources.max_line", value: 64 << 10, takes: wholeFrom(64, 16<<20), about: "bytes of a line; a longer one is one invalid row"},

		{key: "upload.batch_ids", value: 100_000, takes: wholeFrom(1, 1_000_000), about: "ids of one upload request"},
		{key: "upload.in_flight", value: 3, takes: wholeFrom(1, 64), about: "requests in flight per part"},
		{key: "upload.dedupe", value: true, about: "leave out ids that came before among the last rows; false sends them again, harmlessly"},
		{key: "upload.max_reject_percent", value: 90.0, takes: percentTo(100), about: "of invalid and refused rows, above which a job fails; jobs may set their own"},
		{key: "upload.suppression", value: "", about: "a file of MD5 digests that are never uploaded"},

		{key: "lanes.audience", value: 2, takes: wholeFrom(0, 1000), about: "slots for jobs that read exports"},
		{key: "lanes.bulk", value: 2, takes: wholeFrom(0, 1000), about: "slots for parts of large exports"},
		{key: "lanes.campaign", value: 8, takes: wholeFrom(0, 1000), about: "slots for pauses and resumes"},
		{key: "lanes.rules", value: 4, takes: wholeFrom(0, 1000), about: "slots for rule evaluations"},

		{key: "rules.files", value: []string{}, about: "rule files, or folders of them (*.yaml), read anew when they change; a file's name without .yaml is what rules.evaluate calls it"},

		{key: "retry.attempts", value: 8, takes: wholeFrom(1, 1000), about: "attempts before a job goes to the dead letters"},
		{key: "retry.first", value: 5 * time.Second, takes: lastingFrom(time.Millisecond), about: "wait before the second attempt; doubles"},
		{key: "retry.last", value: 10 * time.Minute, takes: lastingFrom(time.Millisecond), about: "the longest wait between attempts"},
		{key: "retry.age", value: 24 * time.Hour, takes: lastingFrom(time.Second), about: "after which a job is given up, counted from its publish"},
		{key: "retry.campaign_age", value: time.Hour, takes: lastingFrom(time.Second), about: "the same for campaign jobs"},

		{key: "console.listen", value: "127.0.0.1:8470", takes: addressOrNone(), about: "address of the console, /healthz and /readyz; empty for none"},
		{key: "console.users", value: "", about: "password file of the console: a line user:role:hash each, see `usher console passwd`"},
		{key: "console.proxy_header", value: "", about: "header in which a trusted proxy names who is logged in, such as X-Forwarded-User"},
		{key: "console.proxies", value: []string{}, takes: networks(), about: "networks of the trusted proxy, such as 10.0.0.5/32; from others the header is not believed"},
		{key: "console.proxy_role", value: "viewer", takes: wordOf("none", "viewer", "operator", "admin"), about: "role of the proxy's users who are not in console.users"},
		{key: "console.hosts", value: []string{}, about: "names that the console is called by, beside localhost and addresses"},
		{key: "console.tls_cert", value: "", about: "certificate of the console, a PEM file; with console.tls_key it is served over TLS"},
		{key: "console.tls_key", value: "", about: "private key of console.tls_cert, a PEM file"},
		{key: "console.plain_http", value: "loopback", takes: wordOf("loopback", "anywhere"), about: "where people may log in without TLS; anywhere is for a proxy that speaks TLS in front of it"},
		{key: "alerts.webhook", value: "", takes: webURLOrNone(), about: "URL that gets news as Slack's JSON: new dead letters, held rule runs, lanes at a halt", secret: true},
		{key: "alerts.every", value: 5 * time.Minute, takes: lastingFrom(time.Second), about: "new dead letters are told of at most so often"},
		{key: "alerts.stalled", value: 15 * time.Minute, takes: lastingFrom(time.Second), about: "a lane whose oldest job waits longer to be taken has come to a halt"},

		{key: "otel.endpoint", value: "", takes: webURLOrNone(), about: "OTLP over HTTP for traces, http://collector:4318; OTEL_EXPORTER_OTLP_ENDPOINT says it too"},

		{key: "log.level", value: "info", takes: wordOf("debug", "info", "warn", "error"), about: "debug, info, warn or error"},
		{key: "log.format", value: "auto", takes: wordOf("json", "text", "auto"), about: "json, text, or auto: text on a terminal"},
	}
})

// settingOf is the setting of a key that there is.
func settingOf(key string) setting {
	return settings()[slices.IndexFunc(settings(), func(s setting) bool { return s.key == key })]
}
