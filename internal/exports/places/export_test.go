package places

import (
	"net"
	"net/http"
	"net/netip"
	"time"
)

// Content is what a File reads from.
type Content = content

// Content returns what f reads from.
func (f *File) Content() Content { return f.content }

// Hasten makes a give up on a server after a moment.
func Hasten(a *Access) {
	a.web.patience = patience{idle: 10 * time.Second, first: time.Millisecond, last: 4 * time.Millisecond, total: 100 * time.Millisecond}
}

// SetIdle sets how long a waits for the next byte of a server.
func SetIdle(a *Access, idle time.Duration) { a.web.patience.idle = idle }

// SetResolver makes a resolve names by r, and expect the certificate of
// serverName from every server.
func SetResolver(a *Access, r *net.Resolver, private []netip.Prefix, serverName string) {
	d := &dialer{private: private}
	d.Resolver = r
	transport, _ := a.web.client.Transport.(*http.Transport)
	transport.DialContext = d.dial
	transport.TLSClientConfig.ServerName = serverName
}
