// Package platform makes the clients with which a worker calls the platform: an
// internal/rtb client for each advertiser, behind a rate limit, an access token
// and a circuit breaker. All workers share the limit and the token; the
// caller of New provides both.
//
//	platform.go  Options, New, and Client: the client of an advertiser
//	rates.go     how many calls a second each advertiser may make, configured or set at
//	             run time
//	tokens.go    one access token for each advertiser
//	breaker.go   Breaker: no calls while the platform is down
//	probe.go     the call that finds out whether the platform is up
//	metrics.go   metrics of the calls: number, outcome, duration
//
// A call passes the breaker, then waits for the limit, then gets the token; the
// breaker and the metrics see its outcome, and a Retry-After stops the limit.
package platform
