// Package console is the web console: one static page, the JSON API behind it,
// and its live changes. It shows and does what the commands do, over the same
// code, to which cmd/usher connects it.
//
//	console.go    Console: options, headers, names that it may be called by
//	routes.go     the API, one table: method, path, role, handler
//	guard.go      what stands before every route; answers and errors
//	role.go       viewer, operator, admin
//	login.go      logging in: password, one-time link, a proxy's word
//	users.go      the password file
//	sessions.go   who is logged in
//	throttle.go   guessing passwords takes long
//	sources.go    what the console needs of the rest of usher
//	watcher.go    follows what happens; the newest records
//	meter.go      the fleet's throughput, measured from records
//	cache.go      what takes its time to read is read seldom
//	live.go       server-sent events: which topics have changed
//	overview.go   how the whole is doing, what needs a person
//	jobs.go       jobs
//	letters.go    dead letters
//	replays.go    replays that were started here
//	campaigns.go  campaigns
//	fleet.go      the stop switch, lanes, the limit
//	rules.go      rules, their runs, backtests
//	audit.go      who did what
//	static.go     serves static/: HTML, style, ES modules, no build step
//
// A request passes the guard (page of origin, session, role, token), then its
// handler; the page reads again what it shows when a topic of it has changed.
package console
