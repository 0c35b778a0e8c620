package config

import (
	"math"
	"slices"
	"sync"
	"time"
)

// DefaultAckWait is the default of nats.ack_wait.
const DefaultAckWait = 30 * time.Second

// setting is a key of the configuration.
type setting struct {
	key     string
	value   any // the default; its type is the key's: string, bool, int, float64, time.Duration or []string
	about   string
	accepts constraint // zero: every value of the type
	secret  bool       // never printed
}

// settings returns all keys. The list is built on first use and kept, because every command
// needs it for its flags.
var settings = sync.OnceValue(func() []setting {
	return []setting{
		{key: "namespace", value: "", accepts: names(), about: "prefix of streams, subjects, buckets and Redis keys, so that several installations can share servers"},
		{key: "worker", value: "", about: "name of this process in records and locks; default host name and process id"},

		{key: "nats.url", value: "nats://127.0.0.1:4222", accepts: natsURLs(), about: "NATS with JetStream; several servers are separated by commas"},
		{key: "nats.credentials", value: "", about: "a file with NATS user credentials"},
		{key: "nats.ca", value: "", about: "a file with certificates (PEM) of further certificate authorities for NATS servers; with it, or nats.cert, connections must use TLS"},
		{key: "nats.cert", value: "", about: "certificate that usher presents to NATS servers, a PEM file"},
		{key: "nats.key", value: "", about: "private key of nats.cert, a PEM file"},
		{key: "nats.replicas", value: 1, accepts: integers(1, 5), about: "replicas of streams and buckets; 3 on a cluster of three"},
		{key: "nats.ack_wait", value: DefaultAckWait, accepts: durationsFrom(time.Second), about: "if NATS does not hear from a worker for this long, another worker takes over its jobs; a change needs `usher migrate`"},
		{key: "nats.max_bytes", value: 1 << 30, accepts: integers(1<<20, math.MaxInt), about: "size of each work stream; a full stream refuses jobs and never drops them"},

		{key: "redis.url", value: "redis://127.0.0.1:6379/0", accepts: redisURL(), about: "Redis: campaign locks, rate limits, the access token; `redis+sentinel://host:port?master_name=NAME&addr=host:port` for Sentinels, with `&sentinel_password=…` if they have one, `redis+cluster://host:port?addr=host:port` for a cluster"},
		{key: "redis.ca", value: "", about: "a file with certificates (PEM) of further certificate authorities for Redis servers and Sentinels"},
		{key: "redis.cert", value: "", about: "certificate that usher presents to Redis servers and Sentinels, a PEM file"},
		{key: "redis.key", value: "", about: "private key of redis.cert, a PEM file"},

		{key: "platform.url", value: "http://127.0.0.1:8480", accepts: platformURL(), about: "the platform's base URL, with or without /v3"},
		{key: "platform.username", value: "sandbox", accepts: nonEmpty(), about: "the API user"},
		{key: "platform.password", value: "sandbox", about: "the API user's password", secret: true},
		{key: "platform.advertiser", value: "SANDBOX1", accepts: nonEmpty(), about: "the advertiser of jobs that do not name one"},
		{key: "platform.advertisers", value: []string{}, accepts: advertiserCodes(), about: "the advertisers that jobs may name, in addition to platform.advertiser and those that rule files, feeds and lines of the token file name; none: any, but those that have never logged in share 3 refused logins in 10 minutes"},
		{key: "platform.ca", value: "", about: "a file with certificates (PEM) of further certificate authorities for the platform"},
		{key: "platform.cert", value: "", about: "certificate that usher presents to the platform, a PEM file"},
		{key: "platform.key", value: "", about: "private key of platform.cert, a PEM file"},
		{key: "platform.timeout", value: time.Minute, accepts: durationsFrom(time.Second), about: "how long a call may make no progress"},
		{key: "platform.rate", value: 100.0, accepts: positiveRate(), about: "calls per second and advertiser, for all workers together"},
		{key: "platform.burst", value: 0, accepts: integers(0, math.MaxInt), about: "calls that may be sent at once after an idle time; 0: as many as keep every second below 105 % of the rate"},
		{key: "platform.reserve_percent", value: 20.0, accepts: percentUpTo(90), about: "percentage of the rate that is reserved for campaign jobs; at least 1/s"},

		{key: "sources.allow", value: []string{}, about: "locations from which jobs may read exports: folders, or URLs of https servers and of buckets up to a path; none means inline ids only"},
		{key: "sources.buckets", value: []string{}, accepts: bucketURLs(), about: "options of buckets, as their gocloud URLs: `s3://crm-exports?region=eu-central-1`; credentials come from the environment"},
		{key: "sources.https_ca", value: "", about: "a file with certificates (PEM) of further certificate authorities for https servers"},
		{key: "sources.private_addresses", value: []string{}, accepts: networksAndAddresses(), about: "private addresses and networks from which exports may be read by https"},
		{key: "sources.part_bytes", value: 32 << 20, accepts: integers(64<<10, math.MaxInt), about: "size of a part of a large export, in bytes"},
		{key: "sources.max_line", value: 64 << 10, accepts: integers(64, 16<<20), about: "maximum length of a line, in bytes; a longer line is one invalid row"},
		{key: "sources.min_rate", value: 10_000, accepts: integers(0, math.MaxInt), about: "bytes per second that an https server or a bucket must deliver, averaged over each minute in which usher waits for it; otherwise the job gives its slot back and is tried again after a minute or more, and ends as source_broken; 0: any rate will do"},

		{key: "upload.batch_ids", value: 100_000, accepts: integers(1, 1_000_000), about: "ids of one upload request"},
		{key: "upload.in_flight", value: 3, accepts: integers(1, 64), about: "concurrent requests for each part"},
		{key: "upload.dedupe", value: true, about: "skip ids that repeat within the last rows; false sends them again, which does no harm"},
		{key: "upload.max_reject_percent", value: 90.0, accepts: percentUpTo(100), about: "percentage of invalid and refused rows above which a job fails; jobs may set their own"},
		{key: "upload.max_malformed_percent", value: 1.0, accepts: percentUpTo(100), about: "percentage of rows that cannot be parsed above which a job fails; jobs may set their own"},
		{key: "upload.suppression", value: "", about: "a file of MD5 digests that are never uploaded"},

		{key: "ledger.url", value: "", accepts: ledgerURL(), about: "folder or bucket of the ledger, which mirrors need: a folder that all workers share, or `s3://usher-ledger/prefix?region=eu-central-1`, gs:// or azblob://; credentials come from the environment"},
		{key: "ledger.keep", value: 7 * 24 * time.Hour, accepts: durationsFrom(time.Minute), about: "how long generations of the ledger are kept that are no longer current"},

		{key: "lanes.audience", value: 2, accepts: integers(0, 1000), about: "slots for jobs that read exports"},
		{key: "lanes.bulk", value: 2, accepts: integers(0, 1000), about: "slots for parts of large exports"},
		{key: "lanes.campaign", value: 8, accepts: integers(0, 1000), about: "slots for pauses, resumes, budgets and bids"},
		{key: "lanes.rules", value: 4, accepts: integers(0, 1000), about: "slots for rule evaluations"},

		{key: "actions", value: []string{}, accepts: actions(), about: "what rules may change in addition to the status of creatives: budget, bid; none: rules with budget or bid are evaluated, but change nothing"},
		{key: "rules.files", value: []string{}, about: "rule files, or folders with rule files (*.yaml), reloaded when they change; rules.evaluate names a file by its name without .yaml"},

		{key: "feeds.files", value: []string{}, about: "feed files, or folders with feed files (*.yaml), reloaded when they change: places that are watched for new exports"},

		{key: "retry.attempts", value: 8, accepts: integers(1, 1000), about: "attempts before a job is moved to the dead letters; campaign jobs are tried every retry.first until retry.campaign_age"},
		{key: "retry.first", value: 5 * time.Second, accepts: durationsFrom(time.Millisecond), about: "delay before the second attempt; it doubles with each attempt"},
		{key: "retry.last", value: 10 * time.Minute, accepts: durationsFrom(time.Millisecond), about: "maximum delay between attempts"},
		{key: "retry.age", value: 24 * time.Hour, accepts: durationsFrom(time.Second), about: "maximum age of a job, counted from its publication, at the end of an attempt that was not done"},
		{key: "retry.campaign_age", value: time.Hour, accepts: durationsFrom(time.Second), about: "the same for campaign jobs"},

		{key: "console.listen", value: "127.0.0.1:8470", accepts: address(), about: "address of the console, /healthz and /readyz; empty disables them"},
		{key: "console.url", value: "", accepts: webURL(), about: "address of the console for people, such as https://usher.example.com, for links in alerts"},
		{key: "console.users", value: "", about: "password file of the console: a line user:role:hash for each user, see `usher console passwd`"},
		{key: "console.proxy_header", value: "", about: "header in which a trusted proxy passes the user name, such as X-Forwarded-User"},
		{key: "console.proxies", value: []string{}, accepts: networks(), about: "networks of the trusted proxy, such as 10.0.0.5/32; the header is ignored in requests from other networks"},
		{key: "console.proxy_role", value: "viewer", accepts: oneOf("none", "viewer", "operator", "admin"), about: "role of the proxy's users who are not in console.users"},
		{key: "console.hosts", value: []string{}, about: "host names of the console, in addition to localhost and IP addresses"},
		{key: "console.tls_cert", value: "", about: "certificate of the console, a PEM file; with console.tls_key, the console uses TLS"},
		{key: "console.tls_key", value: "", about: "private key of console.tls_cert, a PEM file"},
		{key: "console.plain_http", value: "loopback", accepts: oneOf("loopback", "anywhere"), about: "from where users may log in without TLS; anywhere is for a proxy that terminates TLS"},

		{key: "intake.listen", value: "", accepts: address(), about: "address of jobs over HTTP; empty disables them"},
		{key: "intake.tokens", value: "", about: "token file of jobs over HTTP: a line name:kinds:advertisers:hash for each token, see `usher intake token`"},
		{key: "intake.rate", value: 2000.0, accepts: positiveRate(), about: "requests per second of each token and worker"},
		{key: "intake.tls_cert", value: "", about: "certificate of jobs over HTTP, a PEM file; with intake.tls_key, they use TLS"},
		{key: "intake.tls_key", value: "", about: "private key of intake.tls_cert, a PEM file"},
		{key: "intake.plain_http", value: "loopback", accepts: oneOf("loopback", "anywhere"), about: "from where jobs may come without TLS; anywhere is for a proxy that terminates TLS"},

		{key: "alerts.webhook", value: "", accepts: webURL(), about: "URL that receives alerts: new causes of dead letters, held rule runs, late and held feeds, findings of rules that notify, pauses that take longer than a minute, stalled lanes, a lost platform, Redis or NATS server, a refused login, and the end of each", secret: true},
		{key: "alerts.format", value: "auto", accepts: oneOf("auto", "slack", "teams", "discord", "json"), about: "format of alerts.webhook; auto: that of the URL's host, and Slack's for hosts that are not known"},
		{key: "alerts.smtp", value: "", accepts: smtpURL(), about: "mail server that sends alerts: smtp://host:587, which must offer STARTTLS, or smtps://host:465"},
		{key: "alerts.smtp_user", value: "", about: "user of the mail server; empty: no login"},
		{key: "alerts.smtp_password", value: "", about: "password of the mail server's user", secret: true},
		{key: "alerts.smtp_ca", value: "", about: "a file with certificates (PEM) of further certificate authorities for the mail server"},
		{key: "alerts.smtp_plain", value: "loopback", accepts: oneOf("loopback", "anywhere"), about: "from where mail servers may be used that do not offer TLS; the password is never sent to them, except on this machine"},
		{key: "alerts.email_from", value: "", accepts: emails(), about: "sender of alerts by mail, such as usher@example.com"},
		{key: "alerts.email_to", value: []string{}, accepts: emails(), about: "recipients of alerts by mail"},
		{key: "alerts.every", value: 5 * time.Minute, accepts: durationsFrom(time.Second), about: "minimum time between two alerts about new dead letters, and between two about rules with notify: digest; a channel that has failed is tried again after this time"},
		{key: "alerts.stalled", value: 15 * time.Minute, accepts: durationsFrom(time.Second), about: "a lane is stalled if its oldest waiting job waits longer than this"},
		{key: "alerts.quiet", value: "", accepts: quietHours(), about: "quiet hours, such as 22:00-07:00: alerts wait until they end and are then sent as one, except faults: late pauses, stalled lanes, a lost platform, NATS that takes no writes"},
		{key: "alerts.timezone", value: "UTC", accepts: timezone(), about: "zone of alerts.quiet and of the times in alerts, such as Europe/Berlin"},

		{key: "otel.endpoint", value: "", accepts: webURL(), about: "OTLP/HTTP endpoint for traces, such as http://collector:4318; OTEL_EXPORTER_OTLP_ENDPOINT applies as well"},

		{key: "log.level", value: "info", accepts: oneOf("debug", "info", "warn", "error"), about: "debug, info, warn or error"},
		{key: "log.format", value: "auto", accepts: oneOf("json", "text", "auto"), about: "json, text, or auto: text on a terminal"},
	}
})

// settingOf returns the setting of an existing key.
func settingOf(key string) setting {
	return settings()[slices.IndexFunc(settings(), func(s setting) bool { return s.key == key })]
}
