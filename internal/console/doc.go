// Package console is the web console: a static page, its JSON API, and a stream of
// live updates. It offers the functions of the command line and uses the same code, which
// cmd/usher passes to it.
//
//	console.go    Console: options, security headers, allowed host names
//	routes.go     the table of the API: method, path, role, handler
//	guard.go      checks before every route; responses and errors
//	login.go      login by password, one-time link or proxy
//	sessions.go   login sessions and unused links, in memory and in the store
//	users.go      the password file; the roles viewer, operator and admin
//	throttle.go   limits failed logins
//	sources.go    the interfaces through which the console uses the rest of usher
//	marks.go      outages and starts of workers, which charts show
//	health.go     checks NATS, Redis and the platform, and counts the workers
//	watcher.go    follows the jobs and announces changes
//	names.go      the names of segments
//	cache.go      caches values that are slow to read
//	live.go       server-sent events that name changed topics
//	overview.go   the overview and the problems on it
//	jobs.go       jobs
//	search.go     reads the records of all jobs for what is not in memory
//	letters.go    dead letters: plans of replays, edits, discards
//	replays.go    replays that the console has started
//	audiences.go  segments and targets: size, last change, feed, problems, history; comparisons
//	              with platform and exports
//	overlaps.go   what audiences have in common, and what mirrors leave out; the names of segments
//	feeds.go      feeds: late and held exports, and acts on them
//	board.go      the board of all campaigns: statuses, who paused, held decisions, spend
//	campaigns.go  one campaign
//	workers.go    the workers, and those that are gone
//	meter.go      the throughput of all workers, measured by their counters
//	fleet.go      the stop switch, lanes, the limit
//	rules.go      rules, backtests
//	week.go       what the rules did this week, and would do now
//	lastrun.go    when a rule ran last
//	runs.go       runs of rules, approvals, undo, the history of a creative
//	review.go     whether what a run holds is still wanted; rules that would take back an act
//	keep.go       keeps rules from creatives and campaigns, and hands them back
//	audit.go      the audit, also as a file
//	static.go     serves bundle/, which tools/console makes of static/: HTML, styles, ES modules
//
// A request passes the guard (origin, session, role, CSRF token) before its handler.
// The page reloads its data when one of its topics has changed.
package console
