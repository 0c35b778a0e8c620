package locking

import (
	"errors"
	"net"
	"net/http"

	"usher"
	"usher/internal/rtb"
)

// IsLost reports whether the response to a change was lost, so that it is unknown
// whether the change had an effect.
func IsLost(err error) bool {
	var down *usher.Unavailable
	return errors.As(err, &down)
}

// MayStillArrive reports whether a change whose response was lost may have an
// effect later. It cannot if the connection was never made, or if the platform
// itself has answered with a failure.
func MayStillArrive(err error) bool {
	var fault *rtb.Fault
	if errors.As(err, &fault) {
		return fault.Status == http.StatusBadGateway || fault.Status == http.StatusGatewayTimeout
	}
	var dial *net.OpError
	return !errors.As(err, &dial) || dial.Op != "dial"
}
