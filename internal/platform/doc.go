// Package platform makes the clients with which a worker calls the platform: an
// internal/rtb client for each advertiser, behind a rate limit, an access token
// and a circuit breaker. All workers share the limit and the token; the caller of
// New provides both.
//
//	platform.go    Options, New, and Client: the client of an advertiser, its rate limit and its
//	               access token; the call that checks whether the platform is up
//	breaker.go     Breaker: no calls while the platform is down
//	operations.go  whether each operation works
//	metrics.go     metrics of the calls: number, outcome, duration
//
// A call passes the breaker, waits for the rate limit, and gets the token. Its outcome
// goes to the breaker and the metrics. A Retry-After blocks further calls.
package platform
