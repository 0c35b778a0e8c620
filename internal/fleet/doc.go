// Package fleet has what workers share through Redis so that together they keep
// to one rate limit, one access token and one lock per campaign. No other package
// imports Redis.
//
//	dial.go      Dial: a client with the timeouts that this package needs
//	fleet.go     Fleet: New, Close, and whether Redis answers
//	lock.go      Lock: one worker at a time, as long as the lock's context lives
//	hold.go      a lock while it is held: renewal, loss, release
//	limiter.go   Limiter: the calls a second of one advertiser, over all workers
//	flow.go      a rate, and how it is divided between lanes and workers
//	presence.go  heartbeats, and the number of workers
//	tokens.go    Tokens: the access token of a login, renewed once for all workers
//	cooldown.go  how long a refused login is not tried again
//	metrics.go   what is counted
//	scripts.go   the Lua scripts, for what must be atomic; they use Redis's clock
//
// Redis holds nothing that must not be lost, and it may vanish at any moment.
// Locks are then lost or not given, limiters continue with this worker's share of
// the rate, and each worker gets its own token. While Redis is away no call waits
// for it; one probe every half second looks for it.
//
// Keys, all under "<namespace>:usher:" (or "usher:" without a namespace):
//
//	lock:<name>                   the owner's id and name; expires with the lock
//	limit:{<advertiser>}:all      when the next call is due (GCRA), in any lane
//	limit:{<advertiser>}:audience the same for the lanes without the reserve
//	limit:{<advertiser>}:stop     until when a 429 stopped all calls
//	workers                       the workers, by the time of their last heartbeat
//	token:<hash>                  the access token; expires after an hour
//	refused:<hash>                exists while no worker should try that login
package fleet
