package intake

import (
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"
)

// maxConnections is how many clients are connected at once. More wait to be accepted.
const maxConnections = 1024

// NewServer returns a server for an Intake that disconnects slow clients: the header of a
// request must arrive within ten seconds, and the part of a body that the Intake does not
// read within 50.
func NewServer(in *Intake) *http.Server {
	return &http.Server{
		Handler: in, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 50 * time.Second, IdleTimeout: time.Minute,
		MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(in.Logger.Handler(), slog.LevelDebug),
	}
}

// LimitConnections returns a listener that accepts as many connections as an Intake serves.
func LimitConnections(l net.Listener) net.Listener { return netutil.LimitListener(l, maxConnections) }
