package operations

import (
	"time"

	"usher/internal/sandbox/envelope"
	"usher/internal/sandbox/files"
)

// Call has the context of an operation: everything but its In.
type Call struct {
	Now        time.Time
	User       string // set by Authenticate and by a login
	Advertiser string // of the token
	Writes     bool   // the operation changes something
	Private    bool   // the connection uses TLS or loopback, so nobody on the network can read it

	IDs      *files.IDs      // the uploaded ids, if the operation takes any
	Creative *files.Creative // the uploaded creative, if the operation takes one

	Warnings []envelope.Note // of the answer; an operation may add some
}
