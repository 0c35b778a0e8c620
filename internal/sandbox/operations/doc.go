// Package operations does the operations of rtb's table on the sandbox's state,
// as the platform would. The sandbox's package comment lists what it chose where
// the interface is silent.
//
// An operation is a method of State that takes a Call and the operation's In
// and returns its Out. It reads tables, checks, and commits its changes with one
// call of the store, so that it happens completely or not at all. Its errors are
// an envelope.Failure.
//
//	state.go, rows.go   State: the tables, their rows, the sets of digests
//	call.go             Call: who calls, when, and with which file
//	dates.go            dates and times as the platform writes them
//	route.go            Route: an operation and its function; long lists
//	routes.go           the table of routes
//	seed.go             the state at the start, and logins made through /sandbox/users
//	auth.go             logins, tokens, and who may reach what
//
//	users.go, links.go, advertisers.go, advertiser_checks.go, blocklist.go
//	                    accounts
//	segments.go         segments and their members
//	campaigns.go, campaign_checks.go, locks.go, targeting.go, creatives.go, statuses.go
//	                    campaigns
//	flights.go          how long creatives served, which live reports follow
//	canned.go           what the campaigns of the start did in 2014
//	figures.go          a day of a campaign and of its creatives
//	reports.go, billing.go, transactions.go, payments.go, fx.go
//	                    reports and money
//	planning.go, sites.go, lookups.go, ssp.go
//	                    inventory, sites, lookups, the supply side
package operations
