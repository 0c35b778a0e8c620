// Package fleet shares state between workers through Redis, so that together they keep
// one rate limit, one access token and one lock per campaign. No other package imports
// a Redis client.
//
//	dial.go      Dial: a client with the timeouts that this package needs
//	refusal.go   what is wrong with a Redis that answers with an error or not at all, and what
//	             it says to a client without a login
//	fleet.go     Fleet: New, Close, the probe of whether Redis answers, metrics; removes all
//	             keys of a namespace
//	lock.go      Lock: a lock that one worker holds at a time: renewal, loss, release
//	limiter.go   Limiter: the rate limit of one advertiser across all workers, and how it is
//	             divided between lanes and workers
//	tokens.go    Tokens: the access token of a login, renewed once for all workers; after a
//	             refused login, the time before the next one
//	newcomers.go the limit that logins share which have never succeeded
//	scripts.go   the Lua scripts, which run atomically and use Redis's clock
//
// Redis holds nothing that must be durable, and it may be lost at any moment. Held
// locks are then lost and no lock can be taken, limiters continue with this worker's
// share of the rate, and each worker gets its own token. While Redis does not answer,
// no call waits for it; a probe every half second checks whether it is back.
//
// Keys, all under "<namespace>:usher:" (or "usher:" without a namespace):
//
//	lock:<name>                   the owner's id and name; expires with the lock
//	limit:{<advertiser>}:all      the time at which the next call is due (GCRA)
//	limit:{<advertiser>}:audience the same for calls that may not use the reserve
//	limit:{<advertiser>}:stop     the time until which a 429 stops all calls
//	token:<hash>                  the access token; expires after an hour
//	refused:<hash>                exists while no worker should try that login
//	known:<hash>                  exists once that login has succeeded
//	newcomer:<n>                  a refused login that had never succeeded; expires after 10 minutes
//	probe                         is written to find out whether Redis takes writes
package fleet
