package connect

import (
	"regexp"
	"strings"
)

// role is a user of deploy/nats.conf with its permissions. The user admin may do everything.
type role struct {
	name               string
	publish, subscribe []string
}

// roles are equal to those of deploy/nats.conf, which a test compares.
var roles = []role{
	{
		name: "worker",
		publish: []string{
			"$KV.usher_state.>", "$KV.usher_rules.>", "usher.runs.>", "usher.parts.>", "usher.released.*", "usher.events.>", "usher.audit.>", "usher.dead.>", "$JS.API.INFO",
			"$JS.API.STREAM.INFO.*", "$JS.API.STREAM.MSG.GET.*", "$JS.API.DIRECT.GET.>", "$JS.API.CONSUMER.INFO.*.*", "$JS.API.CONSUMER.MSG.NEXT.*.*",
			"$JS.API.CONSUMER.PAUSE.USHER_JOBS.*", "$JS.API.CONSUMER.PAUSE.USHER_CAMPAIGNS.*", "$JS.API.CONSUMER.PAUSE.USHER_RELEASED.*", "$JS.API.CONSUMER.PAUSE.USHER_PARTS.*", "$JS.API.CONSUMER.CREATE.KV_usher_state.>",
			"$JS.API.CONSUMER.CREATE.KV_usher_rules.>", "$JS.API.CONSUMER.CREATE.USHER_DEAD.>", "$JS.API.CONSUMER.CREATE.USHER_EVENTS.>",
			"$JS.API.CONSUMER.DELETE.KV_usher_state.*", "$JS.API.CONSUMER.DELETE.KV_usher_rules.*", "$JS.API.CONSUMER.DELETE.USHER_DEAD.*",
			"$JS.API.CONSUMER.DELETE.USHER_EVENTS.*", "$JS.ACK.>", "$JS.FC.>", "$JS.API.STREAM.PURGE.USHER_PARTS", "$JS.API.STREAM.PURGE.KV_usher_state",
			"$JS.API.STREAM.MSG.DELETE.USHER_DEAD", "$JS.API.STREAM.MSG.DELETE.USHER_JOBS", "$JS.API.STREAM.MSG.DELETE.USHER_CAMPAIGNS", "usher.workers", "usher.workers.arrived", "_INBOX.>",
		},
		subscribe: []string{
			"_INBOX.>", "usher.submit.>", "usher.workers", "usher.workers.arrived", "$SRV.>", "$KV.usher_state.jobs.>", "$KV.usher_state.parts.>",
			"$KV.usher_rules.>", "usher.dead.>", "usher.audit.>",
		},
	},
	{
		name: "ops",
		publish: []string{
			"usher.submit.>", "usher.jobs.>", "usher.runs.>", "usher.released.*", "usher.audit.>", "usher.events.>", "usher.dead.>", "$KV.usher_state.>", "$KV.usher_rules.>",
			"usher.workers", "$JS.API.INFO", "$JS.API.STREAM.INFO.*", "$JS.API.STREAM.MSG.GET.*", "$JS.API.DIRECT.GET.>", "$JS.API.CONSUMER.INFO.*.*",
			"$JS.API.CONSUMER.PAUSE.USHER_JOBS.*", "$JS.API.CONSUMER.PAUSE.USHER_CAMPAIGNS.*", "$JS.API.CONSUMER.PAUSE.USHER_RELEASED.*", "$JS.API.CONSUMER.PAUSE.USHER_PARTS.*", "$JS.API.CONSUMER.CREATE.KV_usher_state.>",
			"$JS.API.CONSUMER.CREATE.KV_usher_rules.>", "$JS.API.CONSUMER.CREATE.USHER_DEAD.>", "$JS.API.CONSUMER.CREATE.USHER_EVENTS.>",
			"$JS.API.CONSUMER.MSG.NEXT.USHER_DEAD.*", "$JS.API.CONSUMER.MSG.NEXT.USHER_EVENTS.*", "$JS.API.CONSUMER.MSG.NEXT.KV_usher_state.*",
			"$JS.API.CONSUMER.MSG.NEXT.KV_usher_rules.*", "$JS.API.CONSUMER.DELETE.KV_usher_state.*", "$JS.API.CONSUMER.DELETE.KV_usher_rules.*",
			"$JS.API.CONSUMER.DELETE.USHER_DEAD.*", "$JS.API.CONSUMER.DELETE.USHER_EVENTS.*", "$JS.ACK.USHER_DEAD.>", "$JS.ACK.USHER_EVENTS.>", "$JS.FC.>",
			"$JS.API.STREAM.MSG.DELETE.USHER_DEAD", "$JS.API.STREAM.MSG.DELETE.USHER_JOBS", "$JS.API.STREAM.MSG.DELETE.USHER_CAMPAIGNS",
		},
		subscribe: []string{
			"_INBOX.>",
		},
	},
	{
		name: "publisher",
		publish: []string{
			"usher.submit.>", "usher.jobs.>",
		},
		subscribe: []string{
			"_INBOX_publisher.>",
		},
	},
}

// refusal matches how NATS names a missing permission.
var refusal = regexp.MustCompile(`Permissions Violation for (Publish|Subscription) to "([^"]+)"`)

// holders returns which users of deploy/nats.conf have the permission that an error says is
// missing, such as "admin and worker". It returns "" if the error names none.
func holders(refused error) string {
	match := refusal.FindStringSubmatch(refused.Error())
	if match == nil {
		return ""
	}
	names := []string{"admin"}
	for _, r := range roles {
		list := r.publish
		if match[1] == "Subscription" {
			list = r.subscribe
		}
		for _, pattern := range list {
			if covers(pattern, withoutNamespace(match[2])) {
				names = append(names, r.name)
				break
			}
		}
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return names[0]
}

// named matches a stream or bucket with its namespace.
var named = regexp.MustCompile(`^(KV_)?(?:.+_)?(USHER_[A-Z]+|usher_state|usher_rules)$`)

// withoutNamespace returns a subject as it is without a namespace.
func withoutNamespace(subject string) string {
	tokens := strings.Split(subject, ".")
	if len(tokens) > 1 && tokens[1] == "usher" {
		tokens = tokens[1:]
	}
	for i, token := range tokens {
		tokens[i] = named.ReplaceAllString(token, "$1$2")
	}
	return strings.Join(tokens, ".")
}

// covers reports whether a pattern with the wildcards * and > matches every subject of another
// one.
func covers(pattern, subject string) bool {
	have, want := strings.Split(pattern, "."), strings.Split(subject, ".")
	for i, token := range have {
		switch {
		case token == ">":
			return len(want) > i
		case i >= len(want), want[i] == ">", token != "*" && token != want[i]:
			return false
		}
	}
	return len(have) == len(want)
}
