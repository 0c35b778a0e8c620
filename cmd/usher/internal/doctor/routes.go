package doctor

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"usher/queues"
)

// routePort is where servers of a NATS cluster usually listen for each other.
const routePort = "6222"

// routeTime is how long a server has to say something to a stranger.
const routeTime = 1500 * time.Millisecond

// examineRoutes reports what a stranger finds at the ports where servers of a cluster meet. A
// server that joins there reads and publishes everything, in all accounts. NATS does not show
// its users these ports, so doctor tries the usual one of each server that it knows.
func (e *examination) examineRoutes(ctx context.Context, servers []string) []queues.CheckResult {
	addresses := e.routes
	if len(addresses) == 0 {
		for _, host := range hostsOf(servers) {
			addresses = append(addresses, net.JoinHostPort(host, routePort))
		}
	}
	checks := make([]func() []queues.CheckResult, len(addresses))
	for i, address := range addresses {
		checks[i] = func() []queues.CheckResult { return []queues.CheckResult{e.examineRoute(ctx, address)} }
	}
	return together(checks...)
}

// door is what a stranger finds at a port for routes.
type door struct {
	encrypted bool
	info      *routeInfo // nil: the server told nothing to a stranger
}

type routeInfo struct {
	AuthRequired bool   `json:"auth_required"`
	Cluster      string `json:"cluster"`
}

func (e *examination) examineRoute(ctx context.Context, address string) queues.CheckResult {
	what := "NATS route " + address
	d, err := knock(ctx, address)
	switch {
	case err != nil:
		return checked(what, nil, "nothing answers there, so no stranger joins the cluster by this address. If the cluster has another port, give --routes HOST:PORT")
	case d.info == nil:
		return checked(what, nil, "joining needs a certificate")
	case !d.info.AuthRequired:
		says := "any server that reaches this port may join, without a password, and read and publish everything: give the cluster block an authorization and tls as in deploy/nats-cluster.conf, and close the port to strangers"
		if isLoopback(address) {
			return checked(what, nil, "warning: "+says)
		}
		return checked(what, errors.New(says), "")
	case !d.encrypted && !isLoopback(address):
		return checked(what, nil, "warning: it needs a password, but is not encrypted: all messages between the servers cross the network as plain text: set tls in the cluster block as in deploy/nats-cluster.conf")
	}
	return checked(what, nil, "joining needs a password")
}

// knock connects to a port for routes, without and then with TLS, and reads what the server says
// first. It never joins.
func knock(ctx context.Context, address string) (door, error) {
	plain, err := dialRoute(ctx, address, (&net.Dialer{}).DialContext)
	if err != nil || plain != nil {
		return door{info: plain}, err
	}
	strangers := &tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true}} //nolint:gosec // a stranger trusts everyone, and sends nothing
	encrypted, err := dialRoute(ctx, address, strangers.DialContext)
	if err != nil { // the server asks for a certificate
		return door{encrypted: true}, nil //nolint:nilerr // see above
	}
	return door{encrypted: true, info: encrypted}, nil
}

// dialRoute returns the first line of a server, or nil if it says nothing.
func dialRoute(ctx context.Context, address string, dial func(ctx context.Context, network, address string) (net.Conn, error)) (*routeInfo, error) {
	ctx, cancel := context.WithTimeout(ctx, routeTime)
	defer cancel()
	conn, err := dial(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("dial: %w", err)
	}
	defer func() { _ = conn.Close() }() // nothing was written
	if deadline, ok := ctx.Deadline(); ok {
		_ = conn.SetReadDeadline(deadline) // fails only on a closed connection
	}
	const longest = 64 << 10
	line, err := bufio.NewReaderSize(conn, longest).ReadSlice('\n')
	if err != nil {
		return nil, nil // it says nothing in time, or nothing that a server of NATS says
	}
	text, found := strings.CutPrefix(string(line), "INFO ")
	var info routeInfo
	if !found || json.Unmarshal([]byte(text), &info) != nil {
		return nil, nil // as above
	}
	return &info, nil
}
