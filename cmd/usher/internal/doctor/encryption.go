package doctor

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"usher/cmd/usher/internal/connect"
	"usher/queues"
)

// encryptionOfNATS reports whether a connection uses TLS.
func encryptionOfNATS(nc *nats.Conn) queues.CheckResult {
	state, encrypted := connect.TLSOf(nc)
	found := encryption("NATS", encrypted, nc.ConnectedUrl(), "configure tls in NATS, and write tls:// in nats.url or set nats.ca")
	if len(state.PeerCertificates) > 0 {
		found.Says = withExpiry(found.Says, state.PeerCertificates[0].NotAfter, time.Now())
	}
	return found
}

// renewal is the time before a certificate expires in which doctor warns.
const renewal = 30 * 24 * time.Hour

// withExpiry adds when a server's certificate expires.
func withExpiry(says string, expires, now time.Time) string {
	says += ", a certificate until " + expires.UTC().Format(time.DateOnly)
	if expires.Sub(now) < renewal {
		return warning + says + ": renew it on this server, and reload the server"
	}
	return says
}

// encryptionOf reports whether a configured URL uses TLS.
func (e *examination) encryptionOf(what, key, repair string) queues.CheckResult {
	address := e.config.String(key)
	scheme, _, _ := strings.Cut(strings.ToLower(address), "://")
	return encryption(what, strings.HasPrefix(scheme, "https") || strings.HasPrefix(scheme, "rediss"), address, repair)
}

func encryption(what string, encrypted bool, address, repair string) queues.CheckResult {
	what = "encryption of " + what
	switch {
	case encrypted:
		return checked(what, nil, "TLS")
	case onThisMachine(address):
		return checked(what, nil, "none, on this machine")
	}
	return checked(what, nil, "warning: none: passwords and data cross the network as plain text: "+repair)
}

// onThisMachine reports whether all hosts of a URL are addresses of the loopback interface.
func onThisMachine(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	hosts := append([]string{u.Host}, u.Query()["addr"]...)
	return !slices.ContainsFunc(hosts, func(host string) bool { return !isLoopback(host) })
}

// isLoopback reports whether host, with or without a port, is an address of the loopback
// interface.
func isLoopback(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	ip := net.ParseIP(strings.Trim(name, "[]"))
	return name == "localhost" || ip != nil && ip.IsLoopback()
}

// hostsOf returns the hosts of NATS servers, sorted and without repetitions.
func hostsOf(servers []string) []string {
	var hosts []string
	for _, s := range servers {
		if u, err := url.Parse(s); err == nil {
			hosts = append(hosts, u.Hostname())
		}
	}
	slices.SortFunc(hosts, cmp.Compare)
	return slices.Compact(hosts)
}

// nearLimit describes how much of a limit is used, and reports whether it is nearly all.
// What has no limit is never near it.
func nearLimit(used, limit uint64) (percent string, near bool) {
	if limit == 0 {
		return "", false
	}
	const enough = 0.85
	share := float64(used) / float64(limit)
	return fmt.Sprintf("%.0f %%", 100*share), share >= enough
}
