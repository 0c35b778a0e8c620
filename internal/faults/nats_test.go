package faults_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// nodes is the size of the NATS cluster.
const nodes = 3

// cluster are the NATS nodes. Clients of usher reach each node through a link, and so do
// the other nodes.
type cluster struct {
	t       testing.TB
	nodes   [nodes]*program
	ports   [nodes]int
	clients [nodes]link        // to node i
	routes  [nodes][nodes]link // from node i to node j
	volumes [nodes]*volume     // nil if the machine does not permit them
}

// roles are the users of deploy/nats.conf. Their passwords are their names.
var roles = []string{"admin", "worker", "ops", "publisher"}

// newCluster starts the nodes. Without volumes, their data is in dir.
func newCluster(t testing.TB, dir string, volumes [nodes]*volume) *cluster {
	t.Helper()
	c := &cluster{t: t, volumes: volumes}
	var peers [nodes]int
	for i := range nodes {
		c.ports[i], peers[i] = freePort(t), freePort(t)
	}
	for i := range nodes {
		c.clients[i] = newLink(t, freePort(t), c.ports[i])
		var routes []string
		for j := range nodes {
			if i != j {
				c.routes[i][j] = newLink(t, freePort(t), peers[j])
				routes = append(routes, "nats://"+c.routes[i][j].Listen)
			}
		}
		store := filepath.Join(dir, fmt.Sprintf("store-%d", i+1))
		if volumes[i] != nil {
			store = filepath.Join(volumes[i].path, "store")
		}
		c.nodes[i] = c.node(dir, i, store, peers[i], routes)
	}
	for i := range nodes {
		c.nodes[i].start(t)
	}
	await(t, "NATS has a quorum", func() error {
		nc, err := c.dial("admin")
		if err != nil {
			return err
		}
		defer nc.Close()
		js, err := nc.JetStream(nats.MaxWait(2 * time.Second))
		if err == nil {
			_, err = js.AccountInfo()
		}
		return err
	})
	return c
}

// node writes the configuration of a node: deploy/nats.conf and the cluster.
func (c *cluster) node(dir string, i int, store string, peer int, routes []string) *program {
	c.t.Helper()
	config := strings.Replace(deployed(c.t, "nats.conf"), `"/data"`, fmt.Sprintf("%q", store), 1)
	// Nodes reach each other only through links: what they advertise is closed.
	config += fmt.Sprintf(`
server_name: nats-%d
client_advertise: %q
cluster { name: usher, host: 127.0.0.1, port: %d, advertise: "127.0.0.1:1", pool_size: -1, routes: [%s] }
`, i+1, c.clients[i].Listen, peer, strings.Join(routes, ", "))
	path := filepath.Join(dir, fmt.Sprintf("nats-%d.conf", i+1))
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "nats-passwords.conf"), []byte(deployed(c.t, "nats-passwords.conf")), 0o600); err != nil {
		c.t.Fatal(err)
	}
	p := &program{
		name: fmt.Sprintf("nats-%d", i+1), path: natsServer(c.t), logs: dir,
		args: []string{"-c", path, "-a", "127.0.0.1", "-p", fmt.Sprint(c.ports[i]), "-m", fmt.Sprint(freePort(c.t))},
	}
	for _, role := range roles {
		p.env = append(p.env, fmt.Sprintf("USHER_NATS_%s_PASSWORD=%s", strings.ToUpper(role), role))
	}
	return p
}

// dial connects directly to the nodes, not through links.
func (c *cluster) dial(role string) (*nats.Conn, error) {
	return nats.Connect(c.urls(role, func(i int) string { return address(c.ports[i]) }), nats.IgnoreDiscoveredServers(), nats.Timeout(5*time.Second),
		nats.MaxReconnects(-1), nats.ReconnectWait(100*time.Millisecond), nats.CustomInboxPrefix(inbox(role)))
}

// url is the address of all nodes through their links.
func (c *cluster) url(role string) string {
	return c.urls(role, func(i int) string { return c.clients[i].Listen })
}

func (*cluster) urls(role string, address func(i int) string) string {
	var all []string
	for i := range nodes {
		all = append(all, fmt.Sprintf("nats://%s:%s@%s", role, role, address(i)))
	}
	return strings.Join(all, ",")
}

// inbox is the prefix of a role's inboxes in deploy/nats.conf.
func inbox(role string) string {
	if role == "publisher" {
		return "_INBOX_publisher"
	}
	return nats.InboxPrefix[:len(nats.InboxPrefix)-1]
}

// of returns the links of node i to and from its peers and clients.
func (c *cluster) of(i int) []link {
	links := []link{c.clients[i]}
	for j := range nodes {
		if j != i {
			links = append(links, c.routes[i][j], c.routes[j][i])
		}
	}
	return links
}
