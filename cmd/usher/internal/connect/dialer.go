package connect

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
)

// dialer makes connections to NATS that survive refusals. NATS's client gives up a connection for
// good after an error such as Maximum Payload Violation, although the server takes a new one at once,
// and tells its present limits. A refusalConn ends such a connection like one that was lost, so that
// the client connects again. To read what the server says, the dialer sets up TLS itself.
type dialer struct {
	secure func() (*tls.Config, error) // nil: the authorities of the system and no certificate
	always bool                        // TLS is wanted, whatever the server says
	hosts  []string                    // of the configured servers

	lastName string                   // the last host that was no address; others of its cluster have its certificate
	secured  atomic.Pointer[tls.Conn] // the newest connection, nil if it has no TLS
}

// newDialer returns a dialer for servers, or nil if one of them has another protocol than NATS's over
// TCP, such as WebSocket.
func newDialer(servers string, secure func() (*tls.Config, error)) *dialer {
	d := &dialer{secure: secure}
	for server := range strings.SplitSeq(servers, ",") {
		u, err := url.Parse(strings.TrimSpace(server))
		if err != nil || u.Scheme != "nats" && u.Scheme != "tls" {
			return nil
		}
		d.always = d.always || u.Scheme == "tls"
		d.hosts = append(d.hosts, u.Hostname())
	}
	return d
}

// dialTime limits a dial, up to the end of the TLS handshake.
const dialTime = 5 * time.Second

// SkipTLSHandshake reports to NATS's client that Dial has set up TLS.
func (*dialer) SkipTLSHandshake() bool { return true }

// Dial implements nats.CustomDialer. The client calls it one at a time.
func (d *dialer) Dial(network, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), dialTime)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	secured, info, err := d.begin(ctx, conn, address)
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	encrypted, _ := secured.(*tls.Conn)
	d.secured.Store(encrypted)
	return &refusalConn{Conn: secured, info: info}, nil
}

// TLSOf returns the state of TLS of a connection to NATS, or false if it does not use TLS.
func TLSOf(nc *nats.Conn) (state tls.ConnectionState, encrypted bool) {
	d, ours := nc.Opts.CustomDialer.(*dialer)
	if !ours { // the client has set up TLS itself
		state, err := nc.TLSConnectionState()
		return state, err == nil
	}
	secured := d.secured.Load()
	if secured == nil {
		return state, false
	}
	return secured.ConnectionState(), true
}

// begin reads what the server says first, and sets up TLS if it or the configuration wants that.
func (d *dialer) begin(ctx context.Context, conn net.Conn, address string) (secured net.Conn, info []byte, err error) {
	deadline, _ := ctx.Deadline()
	if err := conn.SetReadDeadline(deadline); err != nil {
		return nil, nil, err
	}
	if info, err = readInfo(conn); err != nil {
		return nil, nil, err
	}
	if err := conn.SetReadDeadline(time.Time{}); err != nil {
		return nil, nil, err
	}
	var server struct {
		Required  bool `json:"tls_required"`
		Available bool `json:"tls_available"`
	}
	_ = json.Unmarshal(bytes.TrimPrefix(info, []byte("INFO ")), &server) // the client reports what it cannot read
	if !server.Required && (!server.Available || d.secure == nil && !d.always) {
		return conn, info, nil
	}
	settings := &tls.Config{MinVersion: tls.VersionTLS12}
	if d.secure != nil {
		if settings, err = d.secure(); err != nil {
			return nil, nil, err
		}
	}
	settings.ServerName = d.serverName(address)
	secure := tls.Client(conn, settings)
	if err := secure.HandshakeContext(ctx); err != nil {
		return nil, nil, err
	}
	return secure, info, nil
}

// serverName returns the name that the certificate of a server must have. Servers that the cluster
// has told the client of have addresses, and the certificate of the configured name.
func (d *dialer) serverName(address string) string {
	host, _, _ := net.SplitHostPort(address)
	if net.ParseIP(host) == nil {
		d.lastName = host
		return host
	}
	if d.lastName == "" || slices.Contains(d.hosts, host) {
		return host
	}
	return d.lastName
}

// maxInfo is the maximum length of what a server says first.
const maxInfo = 1 << 20

// readInfo reads the first line, byte by byte, because TLS may follow.
func readInfo(conn net.Conn) ([]byte, error) {
	var line []byte
	for one := make([]byte, 1); len(line) < maxInfo; {
		if _, err := conn.Read(one); err != nil {
			return nil, err
		}
		if line = append(line, one[0]); one[0] == '\n' {
			return line, nil
		}
	}
	return nil, errors.New("the server does not speak NATS's protocol")
}

// refusalConn is a connection whose reads end with an error when the server refuses something and
// closes the connection.
type refusalConn struct {
	net.Conn
	info    []byte // what is left of the first line
	scanner protocolScanner
	refusal string // of the server; "": none
}

// Read implements net.Conn.
func (c *refusalConn) Read(p []byte) (n int, err error) {
	switch {
	case c.refusal != "":
		return 0, fmt.Errorf("NATS has refused a request and closed the connection: %s", c.refusal)
	case len(c.info) > 0:
		n = copy(p, c.info)
		c.info = c.info[n:]
		return n, nil
	}
	n, err = c.Conn.Read(p)
	if n, c.refusal = c.scanner.scan(p[:n]); c.refusal != "" && n == 0 {
		return c.Read(p)
	}
	return n, err
}

// protocolScanner finds the server's refusals between its messages.
type protocolScanner struct {
	payload int // bytes of a message that are left, with its CRLF
	line    []byte
}

// maxLine is how much of a line is kept. A line that begins a message is shorter.
const maxLine = 16 << 10

// scan returns the number of bytes before a refusal, and its text; all of data and "" if there is
// none.
func (s *protocolScanner) scan(data []byte) (n int, refusal string) {
	for at := 0; at < len(data); {
		if s.payload > 0 {
			skipped := min(s.payload, len(data)-at)
			s.payload, at = s.payload-skipped, at+skipped
			continue
		}
		begin := at
		end := bytes.IndexByte(data[at:], '\n')
		piece := data[at:]
		if end >= 0 {
			piece = piece[:end+1]
		}
		s.line = append(s.line, piece[:min(len(piece), maxLine-min(maxLine, len(s.line)))]...)
		if at += len(piece); end < 0 {
			break
		}
		text := strings.TrimSpace(string(s.line))
		s.line = s.line[:0]
		if said, isError := strings.CutPrefix(text, "-ERR"); isError && !isHandled(said) {
			return begin, strings.Trim(said, " '")
		}
		s.payload = payloadOf(text)
	}
	return len(data), ""
}

// payloadOf returns how many bytes follow a line.
func payloadOf(line string) int {
	verb, rest, _ := strings.Cut(line, " ")
	if !strings.EqualFold(verb, "MSG") && !strings.EqualFold(verb, "HMSG") {
		return 0
	}
	size, err := strconv.Atoi(rest[strings.LastIndexByte(rest, ' ')+1:])
	if err != nil || size < 0 {
		return 0
	}
	return size + len("\r\n")
}

// isHandled reports whether NATS's client knows an error of the server, and does not give up
// the connection.
func isHandled(said string) bool {
	said = strings.ToLower(strings.Trim(said, " '"))
	for _, known := range []string{
		"stale connection", "maximum connections exceeded", "maximum account active connections exceeded", "unknown protocol operation",
		"permissions violation", "maximum subscriptions exceeded",
		"authorization violation", "user authentication expired", "user authentication revoked", "account authentication expired",
	} {
		if strings.HasPrefix(said, known) {
			return true
		}
	}
	return false
}
