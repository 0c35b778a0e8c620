package places

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"time"

	"usher"
)

// ParseAddresses parses addresses and networks: 10.1.2.3, 10.0.0.0/8, fd00::/8.
func ParseAddresses(list []string) ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, text := range list {
		prefix, err := netip.ParsePrefix(text)
		if address, single := netip.ParseAddr(text); single == nil && address.Zone() == "" {
			prefix, err = netip.PrefixFrom(address, address.BitLen()), nil
		}
		if err != nil {
			return nil, fmt.Errorf("read address %q: accepted are an address, 10.1.2.3, and a network, 10.0.0.0/8", text)
		}
		out = append(out, prefix.Masked())
	}
	return out, nil
}

// notPublic are networks outside the public Internet that package netip does not
// know. Some of their addresses contain an address of another kind.
var notPublic = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fec0::/10",
)

func prefixes(list ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(list))
	for i, text := range list {
		out[i] = netip.MustParsePrefix(text)
	}
	return out
}

// isPublic reports whether an address belongs to the public Internet.
func isPublic(address netip.Addr) bool {
	return address.Zone() == "" && address.IsGlobalUnicast() && !address.IsPrivate() && !contains(notPublic, address)
}

func contains(networks []netip.Prefix, address netip.Addr) bool {
	return slices.ContainsFunc(networks, func(n netip.Prefix) bool { return n.Contains(address) })
}

// dialer connects to public addresses, and to the private addresses that are
// allowed. It checks the address that it connects to, so that a name cannot resolve
// to another address after the check.
type dialer struct {
	net.Dialer

	private []netip.Prefix
}

func (d *dialer) dial(ctx context.Context, network, target string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(target)
	if err != nil {
		return nil, err
	}
	checked := d.Dialer
	checked.ControlContext = func(_ context.Context, _, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return errors.New("it is not an address with a port")
		}
		if !d.mayReach(host, at.Addr().Unmap()) {
			return errPrivate
		}
		return nil
	}
	return checked.DialContext(ctx, network, target)
}

// mayReach reports whether a connection to host may go to an address. If host is the
// address itself or localhost, an allowed place names it, which is permission enough.
func (d *dialer) mayReach(host string, address netip.Addr) bool {
	if isPublic(address) || contains(d.private, address) {
		return true
	}
	if named, err := netip.ParseAddr(host); err == nil {
		return named.Unmap() == address
	}
	return strings.EqualFold(host, "localhost") && address.IsLoopback()
}

var errPrivate = errors.New("its host has a private address")

// dialTime is how long a connection and a TLS handshake may take.
const dialTime = 10 * time.Second

// private is errPrivate for the job.
func (o Origin) private() error {
	return o.permanent(usher.SourceRefused,
		"if exports may be read from there, add the address or its network to sources.private_addresses in the configuration", "open",
		"its host has an address that is not public, and that the configuration does not allow")
}
