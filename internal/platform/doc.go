// Package platform makes the clients with which a worker calls the platform: an
// internal/rtb client for each advertiser, behind a rate limit, an access token
// and a circuit breaker. The limit and the token are shared with all other
// workers; whoever calls New brings them.
//
//	platform.go  Options, New, and Client: the client of an advertiser
//	rates.go     the calls a second of each advertiser, configured or set at run time
//	tokens.go    one access token for each advertiser
//	breaker.go   Breaker: no calls while the platform is down
//	probe.go     the call that finds out whether the platform is up
//	metrics.go   what is counted of the calls
//
// A call passes the breaker, then waits for the limit, then gets the token; its
// outcome goes to the breaker and to the metrics, and a Retry-After to the limit.
package platform
