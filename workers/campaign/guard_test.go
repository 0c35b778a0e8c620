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

func TestMentions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, code string
		want       bool
	}{
		{"from PENDING to ACTIVE of a-1", "a-1", true},
		{"from PENDING to ACTIVE of a-10", "a-1", false},
		{"creative 'a-1' (ACTIVE)", "a-1", true},
		{"creative xa-1", "a-1", false},
		{"", "a-1", false},
	} {
		if campaign.Mentions(c.text, c.code) != c.want {
			t.Errorf("%q names %s: %t", c.text, c.code, !c.want)
		}
	}
}

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
