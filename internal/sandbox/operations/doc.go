// Package operations implements the operations of rtb's table on the sandbox's state. The
// comment of package sandbox lists how they behave where the interface leaves it open.
//
// An operation is a method of State that takes a Call and the operation's In
// and returns its Out. It reads tables, checks its input, and commits its changes with one
// call to the store, so that it is carried out completely or not at all. Its errors are
// an envelope.Failure.
//
//	state.go, rows.go   State: the tables, their rows, the sets of digests
//	call.go             Call: the user, the time and the files of a call
//	dates.go            dates and times in the platform's format
//	route.go            Route: an operation and its function; listings
//	routes.go           the table of routes
//	seed.go             the initial state, and logins created by /sandbox/users
//	auth.go             logins, tokens, and access to advertisers
//
//	users.go, links.go, advertisers.go, advertiser_checks.go, blocklist.go
//	                    accounts
//	segments.go         segments and their members
//	campaigns.go, campaign_checks.go, locks.go, targeting.go, creatives.go, statuses.go
//	                    campaigns
//	flights.go          how long creatives served, for live reports
//	canned.go           the reports of the initial campaigns, for 2014
//	figures.go          the figures of a campaign and its creatives on a day
//	reports.go, billing.go, transactions.go, payments.go, fx.go
//	                    reports and money
//	planning.go, sites.go, lookups.go, ssp.go
//	                    inventory, sites, lookups, the supply side
package operations
