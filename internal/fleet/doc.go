// Package fleet is what workers share through Redis, so that many of them
// behave as one towards the platform. It is the only importer of Redis.
//
//	dial.go      Dial: a client with the timeouts that this package counts on
//	fleet.go     Fleet: New, Close, and whether Redis answers
//	lock.go      Lock: one worker at a time, for as long as its context lives
//	limiter.go   Limiter: calls a second of one advertiser, over all workers
//	rate.go      Rate, and how it is split between lanes and workers
//	presence.go  how many workers there are
//	tokens.go    Tokens: one access token of a login, renewed once for all
//	rest.go      how long a refused login is not tried again
//	metrics.go   what this worker met with
//	*.lua        what must happen at once in Redis; time is Redis's own (TIME)
//
// Redis is a help and not a truth: nothing that must not be lost lies in it,
// and it may vanish at any moment. Then locks are lost or not given, limiters
// go on with this worker's share, and tokens are this worker's own. While it
// is away nobody waits for it: one probe looks every half second.
//
// Keys, all under "<namespace>:usher:" (or "usher:" without a namespace):
//
//	lock:<name>                   owner and holder's name; lives for the lock's TTL
//	limit:{<advertiser>}:all      when the next call is due (GCRA), any lane
//	limit:{<advertiser>}:audience the same, of the lanes without the reserve
//	limit:{<advertiser>}:stop     until when a 429 stopped all calls
//	workers                       who is there, by the time of their last heartbeat
//	token:<hash>                  the access token; lives for an hour
//	refused:<hash>                while nobody should try that login again
package fleet
