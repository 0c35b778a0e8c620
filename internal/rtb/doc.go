// Package rtb speaks to the real-time-bidding platform: its records, one table
// of its operations, and the client. It is the only place that judges what the
// platform answered.
//
// In reading order:
//
//	op.go          Op and Operation: what an operation is, and Operations, the table
//	auth.go, users.go, advertisers.go, links.go, segments.go, campaigns.go,
//	targeting.go, creatives.go, statuses.go, reporting.go, planning.go, ssp.go,
//	payments.go, metadata.go with lookups.go and lookup_calls.go
//	               a file per area: its records, its operations, the service's methods
//	encode.go      an operation's In becomes a message: path, query, body
//	rules.go        what an In must be beyond its tags, checked before anything is sent
//	upload.go      File: bodies of known length that can be read again
//	client.go      Options, New, and the client's services: client.Segments.AddUser
//	               calls segments.add-user
//	send.go        the one place that sends: token, rate limit, one renewal
//	span.go      a call as a span of a trace
//	judge.go       the one place that judges: an answer becomes a result or a typed error
//	fault.go       Fault: the platform's words, cleaned
//	tokens.go      Tokens within one process
//	transport.go   the HTTP client, with the figures that uploads need
//	openapi.go     the table as an OpenAPI document: openapi.yaml, which a test writes
//
// The table drives the client, the command `usher api`, the sandbox's routes
// and openapi.yaml. So that those cannot agree on a mistake, testdata holds a
// request and an answer per operation, written by hand from the platform's
// interface document.
//
// # What an error means
//
//	*usher.Permanent      the platform said no: refused, forbidden, not_found; or we
//	                      asked for what the interface does not allow (invalid_job)
//	*usher.RetryAfter     not before then: 429, or 503 with Retry-After
//	*usher.Unavailable    connection errors, timeouts, 5xx, answers that make no sense
//	usher.ErrUnauthorized a 401 that a new token did not mend
//	context.Cause(ctx)    our own context ended
//
// Below all that came of an answer lies a *Fault. Whether an answer that was
// lost had an effect is unknown; nothing here repeats a request but once, after
// 401 AUTH001, which the platform gives before it does anything.
package rtb

//go:generate go test -run TestOpenAPI -update .
