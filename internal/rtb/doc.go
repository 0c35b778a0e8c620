// Package rtb is the client of the real-time-bidding platform: its records, one
// table of its operations, and the client itself. No other package judges what the
// platform answers.
//
// In reading order:
//
//	op.go          Op and Operation: the description of an operation; Operations: the table,
//	               OpenAPI: the same as a document (openapi.yaml)
//	auth.go, users.go, advertisers.go, segments.go, campaigns.go, targeting.go,
//	creatives.go, reporting.go, planning.go, ssp.go, payments.go, metadata.go
//	               an area each: its records, its operations, and methods for those that
//	               usher itself calls
//	definition.go  Definition: a campaign as the platform wrote it, to be changed and sent back
//	client.go      Options, New, and the client's services: client.Segments.RemoveUser
//	               calls segments.remove-user
//	encode.go      turns the input of an operation into a message: path, query, body
//	check.go       rules for inputs beyond their tags, checked before anything is sent
//	upload.go      File: bodies of known length that can be read again
//	send.go        the one place that sends: token, rate limit, one renewal, trace span
//	judge.go       the one place that judges: an answer becomes a result or a typed error
//	fault.go       Fault: the platform's error, without secrets and digests; and as a whole
//	               for the person who made the call
//	held.go        WhileHeld: calls that send nothing once a lease has ended
//	transport.go   the HTTP client, with the settings that uploads need
//
// The table is the source of the client, the command `usher api`, the routes of the
// sandbox and openapi.yaml. To find mistakes that all of these would share, package samples
// has a request and an answer for each operation, written by hand from the platform's
// interface document.
//
// # What an error means
//
//	*usher.Permanent      the platform refused the call (refused, forbidden, not_found),
//	                      or its input breaks the interface's rules (invalid_job)
//	*usher.RetryAfter     the call may be repeated after a time: 429, or 503 with Retry-After
//	*usher.Unavailable    connection errors, timeouts, 5xx, unreadable answers
//	usher.ErrUnauthorized a 401, even with a new token
//	context.Cause(ctx)    the context of the call ended
//
// An error that came from an answer wraps a *Fault. If an answer was lost, the call may
// or may not have had an effect. A request is repeated only once, after 401 AUTH001, which
// the platform answers before it does anything.
//
// The table is also the help of `usher api`. "An unknown segment is not_found" in it
// means a *usher.Permanent of that class.
package rtb

//go:generate go test -run TestOpenAPI$ -update .
