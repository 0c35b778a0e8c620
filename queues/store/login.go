package store

import (
	"errors"
	"slices"

	"github.com/nats-io/nats.go"
)

// ErrLogin means that NATS refuses usher's login.
var ErrLogin = errors.New("NATS refuses the login: it has another user or password")

// refusals are NATS's errors about a login.
var refusals = []error{nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked, nats.ErrAccountAuthExpired}

// Disconnected returns why there is no connection to NATS, or nil if there is one. It is ErrLogin
// if that is what the last attempt to connect has ended with.
func Disconnected(nc *nats.Conn) error {
	if nc.IsConnected() {
		return nil
	}
	last := nc.LastError()
	if slices.ContainsFunc(refusals, func(refusal error) bool { return errors.Is(last, refusal) }) {
		return ErrLogin
	}
	return errors.New("not connected")
}
