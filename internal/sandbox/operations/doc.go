// Package operations implements the operations of rtb's table on the sandbox's state. The
// comment of package sandbox lists how they behave where the interface leaves it open.
//
// An operation is a method of State that takes a Call and the operation's In
// and returns its Out. It reads tables, checks its input, and commits its changes with one
// call to the store, so that it is carried out completely or not at all. Its errors are
// Failures.
//
//	state.go            State: the tables, their rows, the sets of digests
//	routes.go           Call: the user, the time and the files of a call; the table of routes
//	failure.go          Failure, and the codes of failures
//	dates.go            dates and times in the platform's format
//	seed.go             the initial state, and logins created by /sandbox/users
//	auth.go             logins, tokens, and access to advertisers
//
//	users.go, advertisers.go
//	                    accounts
//	segments.go         segments and their members
//	campaigns.go, campaign_checks.go, targeting.go, creatives.go
//	                    campaigns
//	flights.go          how long creatives served, for live reports
//	canned.go           the reports of the initial campaigns, for 2014
//	reports.go          the figures of a campaign and its creatives on a day
//	billing.go, payments.go
//	                    money
//	planning.go, ssp.go inventory, the supply side
//	metadata.go         lookups; tables.go: their records, and exchange rates
package operations
