// Package connect opens the connections and files that the configuration names.
//
//	queue.go        the queue of jobs, and the flags of commands that use it
//	nats.go         the connection to NATS, its streams and buckets
//	dialer.go       connections to NATS that survive its refusals
//	refusals.go     errors of missing permissions of NATS
//	roles.go        the users of deploy/nats.conf, and which of them have a permission
//	login.go        the platform's login, for commands that call it directly
//	complete.go     completes arguments and flags for the shell by names that the queue has
//	platform.go     the rate limit that is configured, or set
//	segments.go     notes the names of segments
//	exports.go      the places that exports are read from, and an export that a command reads itself
//	suppression.go  the suppression list
//	ledger.go       the ledger of what each target holds
//	listen.go       listeners
//	tls.go          certificates of servers, and of connections to NATS, Redis and the platform; DialRedis
//	lastread.go     files that are read again for each use
//	logger.go       the logger, and a worker's first log line
package connect
