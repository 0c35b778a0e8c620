// Package sandbox is the platform itself, in process: its operations with state,
// its tokens and locks that lapse, a journal, and faults to order. It speaks
// HTTP and nothing else, so any client can be pointed at it.
//
// In reading order:
//
//	sandbox.go    Options, Open, Close
//	serve.go      one request: route, fault, login, decode, do, journal, answer
//	router.go     paths to operations, from rtb's table
//	decode.go     a request's parts into an operation's In
//	upload.go     multipart files of hashes, read strictly and at speed
//	envelope.go   answers: success, warnings, failures and their codes
//	routes.go     which function does which operation
//	auth.go, users.go, advertisers.go, links.go, blocklist.go, segments.go,
//	campaigns.go, campaign_rules.go, targeting.go, creatives.go, statuses.go,
//	reports.go, billing.go, transactions.go, planning.go, ssp.go, payments.go,
//	metadata.go, sites.go, fx.go
//	              the operations' behaviour, a file per service
//	listing.go    long lists, sent record by record; datasets.go yields them from
//	              the tables in metadata/, whose SOURCES.md says where they come from
//	canned.go     what SANDBOX1's campaigns did in 2014; flights.go what campaigns do
//	              now; figures.go what either comes to
//	fetch.go      files for creatives from elsewhere
//	format.go     what a creative's file is, by its content
//	world.go      the state; table.go its rows, members.go sets of digests,
//	              fingerprint.go what is kept of them for benchmarks
//	statelog.go   the state on disk, which a kill -9 does not hurt
//	journal.go    what was asked and answered
//	faults.go     faults to order; trouble.go makes them; control.go is /sandbox/
//	pages.go      the operations for people at /, for tools at /openapi.yaml
//	seed.go       what there is at the start
//
// # At the start
//
// One login (sandbox, sandbox), linked as ADMIN to the advertiser SANDBOX1, which
// is in USD. Segments: 1 "iOS customers" of type IDFA, 2 "Android customers" of type
// ANDROID_ID, 3 "Product page visitors" of type VIEW, 4 "iOS newsletter" of
// type IDFA; all empty. Campaigns, each with creatives <name>-1 to <name>-n,
// all ACTIVE: SANDBOX1-spring (2), -summer (3), -autumn (4), -winter (5),
// -launch (2), -loyalty (3), -retarget (4), -video (5), -brand (3). With another
// advertiser in Options the campaigns begin with that.
//
// The account has canned reports for 2014-03-10 to 2014-04-20, the same in every
// sandbox. Spring, winter, retarget and video spend steadily, winter-3 and video-5
// being bad creatives; summer spends more above its budget every week; autumn
// stalls on 5 April; launch begins slowly on 24 March; loyalty spends a third of
// its budget; brand ends on 10 April, its last three days far above budget.
//
// # Below /sandbox/
//
// Needs no token and is meant for the machine it runs on. GET /sandbox/ lists
// it: the journal, faults, latency, a rate limit, fingerprints, further logins,
// and a reset. A fingerprint is {count, sum, xor} over the distinct members: sum
// is the sum of the digests, each a 128-bit big-endian number, modulo 2^128; xor
// their exclusive or; both as 32 hex characters.
//
// # Choices where the interface is silent
//
//   - Codes: E10001 a field is missing or breaks a rule, E10002 a body or its
//     Content-Type cannot be read, E10060 the campaign must be locked, E10061
//     another login holds the lock, E10062 a creative's code is taken, E10063 an id
//     of the supply side belongs to another account, E10069 a sandbox that keeps
//     fingerprints cannot tell who is in; E10404, E10405, E10413,
//     E10429, E10500, E10503 go with their HTTP status. 404 and 405 bodies are
//     {status: error, message, code}.
//   - Login: 400 missing parameters, 401 AUTH001 wrong password, 403 AUTH003 not
//     linked. A token reaches every advertiser that its user is linked to; lists
//     are the token's advertiser's. What belongs to an advertiser out of reach is
//     403. The realm VIEW only reads, whatever is asked. An AGENCYADMIN of an
//     advertiser reaches those that were made with a token for it, and so on down;
//     only links of an advertiser's own stand among its users and connections,
//     where the username's key is username. A login gives a new token of random
//     length and leaves older ones alive.
//   - Users: who makes one may read, edit and delete it; it may read and edit
//     itself. A new user needs a password; reportingCurrency defaults to USD; an
//     edit changes what it holds. A deactivated user is 404 and its links and
//     tokens end; its maker may make it anew, nobody else takes the name. Any user
//     can be linked, by who may write to the advertiser; a second link replaces
//     the realm.
//   - Advertisers: codes are ADV1, ADV2, …; name, domain, e-mail address and
//     mediaMargin are required; charges must not be negative, percentages are 0 to
//     100; what is left out of attributionSettings gets its default. A deactivated
//     advertiser reads as INACTIVE and works on; a PUT makes it ACTIVE again.
//     Domains are kept in lower-case ASCII; those of a blocklist lie directly below
//     a public suffix that is listed, private ones (github.io) included; to take
//     off what is not on it is 404.
//   - Creatives' files have at most 10 MiB (else 413) and are judged by content,
//     whatever their name; the asset's location is not served. pull follows
//     redirects, waits 10 s, and reaches public addresses and this machine's own,
//     no private ones. A campaign's creativeId may be any text.
//   - The supply side's account is the token's advertiser; who took a publisherId
//     or adslotId first keeps it. All fields are required, iabCategoryIds may be
//     empty.
//   - Payments: over HTTPS, or from this machine. Test cards: 4111 1111 1111 1111
//     (Visa) and 5555 5555 5555 4444 (Mastercard) pay; 4000 0000 0000 0002 (do not
//     honour), 4000 0000 0000 9995 (insufficient funds), 4000 0000 0000 0069
//     (expired) and 5105 1051 0510 5100 (wrong CVV) are declined with EPMT004, and
//     so is every other number that is well-formed, so that nobody pays with a real
//     one. The base currency is the advertiser's currencyCode; the limits are
//     converted by the day's rate. Fees that are deducted are 2.9 %.
//   - Reports: campaigns serve from the moment that a creative is ACTIVE, those of
//     the start included, and report it by day in UTC, the running day too: 4 to 12
//     impressions a second and creative, at a price at which the campaign comes to
//     80 to 115 % of its daily budget, but never above its maxBid. What a creative
//     did stays when it is paused or taken out. status and approvalStatus are those
//     of now (canned: ACTIVE). winRate is won / bidsPlaced, displayRate is
//     impressions / won; mediaMargin is in percent on top of the net spend;
//     lifetimeBudget is the daily budget for the days of the campaign's life until
//     then (canned: of all of it); a creative has its share of the budgets. Money
//     is in the advertiser's currency.
//   - Billing: a row for each day on which there were campaigns. fxRate is USD per
//     unit of the row's currency, so that InUsd = InCcy × fxRate; a currency
//     without a rate is 400. A charge of type MEDIA follows each day that is over;
//     the balance is what was paid less the gross spend, today's included. An
//     unknown advertiser is 404, periods that end before they start are 400.
//   - Planning: dates follow the published order, the later one first, and lie at
//     most 90 days apart; a period that begins after today is 404. Inventory is
//     made up from the domains of metadata/sites.tsv; geo is a country's code,
//     mediaType DISPLAY or VIDEO.
//   - Metadata: an unknown country in the filter of the cities is 400. A category's
//     id is n for IABn and 100 n + m for IABn-m; a sub-category has the sites of the
//     one above it; a site may be asked for as host or URL. fxRateToUSD is of the
//     committed table, not of the market: approximate values from the end of 2012 to
//     the end of 2025; rateDate is the day asked for, a day without a rate having
//     the last one before it.
//     Combinations name no version of a system.
//   - Segments: name and type are required, status defaults to ACTIVE. An update
//     may change everything but the id; members stay. Ids count up and are never
//     used again. Pixel types have an htmlScript.
//   - A segment of type IDFA takes only IDFA in a user's path, one of ANDROID_ID
//     only AID, others both. Adding who is in and removing who is not are 200.
//     Hex digits may be of either case. Uploads are taken for every type.
//   - An uploaded file: hashes delimited by one comma; whitespace and line ends
//     around a hash are left out; one comma at the end is well; a file without a
//     hash, and anything else, is 400 and nothing is applied. Every file of the
//     named field counts, other fields do not. A body may have 1 GiB (else 413),
//     a JSON body 8 MiB.
//   - What needs the campaign's lock and lacks it is 400 E10060. A re-lock by the
//     same login renews, by another is 400 E10061, and so is what another does
//     under it; unlocking what is unlocked is 200. Targeting needs no lock.
//   - A campaign's code begins with the code of an advertiser in reach. Required:
//     at least one creative, each with code and creativeId, inventorySettings and
//     biddingSettings. An update keeps the lock and the status of creatives whose
//     code and creativeId are unchanged; new ones start PENDING; those left out
//     are gone. Creative codes are unique across campaigns. The settings objects
//     come back as they were sent; of their contents only what the interface
//     shows is checked: devices and iabCategories (by id or name). Words that it
//     has only seen (inventoryType, strategy, …) are taken as they are.
//   - PENDING creatives become ACTIVE by themselves after the approval delay.
//     PENDING → INACTIVE is allowed; the approval goes on, and before its end
//     INACTIVE → ACTIVE is E10059 too, so that nobody goes round it. What is already
//     as wanted counts as changed. approvalStatus is PENDING, ACTIVE or INACTIVE.
//   - A second mobileIds upload adds (Options.TargetPost replace: replaces);
//     numberOfIds is the distinct total; batchName is the file's name; without
//     targeting GET is 404, DELETE 200. Targeting by user ids keeps one entry a
//     segment, answered as a list, the latest first; ids that are no MD5 are taken
//     too.
//   - JSON bodies: unknown fields are ignored, Content-Type must be
//     application/json. Paths match exactly, without a slash at the end.
package sandbox
