package campaign_test

import (
	"errors"
	"net"
	"net/http"
	"testing"

	"usher"
	"usher/internal/rtb"
	"usher/workers/campaign"
)

func TestMayStillArrive(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		err  error
		want bool
	}{
		{"connection lost", errors.New("connection reset by peer"), true},
		{"no connection made", &net.OpError{Op: "dial", Err: errors.New("connection refused")}, false},
		{"answered by the platform", &rtb.Fault{Status: http.StatusInternalServerError}, false},
		{"answered by a proxy", &rtb.Fault{Status: http.StatusBadGateway}, true},
		{"answered by a proxy that waited", &rtb.Fault{Status: http.StatusGatewayTimeout}, true},
	} {
		if got := campaign.MayStillArrive(&usher.Unavailable{Err: c.err}); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}
