// Package sandbox is an implementation of the platform in this process: its operations
// with state, tokens and locks that expire, a journal of all requests, and faults that
// tests order. Its only interface is HTTP, so any client can use it.
//
//	options.go   Options and their defaults
//	sandbox.go   Open, ServeHTTP, Close
//	serve.go     the steps of a request: route, fault, login, decode, run, journal, answer
//	router.go    finds the operation of a path, by rtb's table
//	decode.go    decodes a request into an operation's In
//	answer.go    responses
//	journal.go   the journal of requests and their answers
//	control.go   the controls below /sandbox/
//	faults.go    ordered faults and their effect on a request; latency and rate limit
//	uploads.go   uploaded lists of ids
//	creatives.go the files of creatives, uploaded or fetched
//	pages.go     / for people, /openapi.yaml for tools
//
// The packages below it:
//
//	operations   the operations, the initial state, the tables of the metadata operations
//	store        the state: tables and sets of digests, in memory and on disk
//
// # The initial state
//
// There is one login (sandbox, sandbox), linked as ADMIN to the advertiser
// SANDBOX1, whose currency is USD. Segments: 1 "iOS customers" of type IDFA, 2
// "Android customers" of type ANDROID_ID, 3 "Product page visitors" of type VIEW, 4
// "iOS newsletter" of type IDFA; all are empty. Campaigns, each with creatives
// <name>-1 to <name>-n, all ACTIVE: SANDBOX1-spring (2), -summer (3), -autumn (4),
// -winter (5), -launch (2), -loyalty (3), -retarget (4), -video (5), -brand (3). If
// Options names another advertiser, the codes begin with that.
//
// The account has canned reports for 2014-03-10 to 2014-04-20, the same in every
// sandbox. Spring, winter, retarget and video spend steadily; winter-3 and video-5
// are bad creatives. Summer spends more above its budget every week. Autumn stalls
// on 5 April. Launch begins slowly on 24 March. Loyalty spends a third of its
// budget. Brand ends on 10 April and spends far above its budget on its last three days.
//
// # Below /sandbox/
//
// The controls need no token and are meant for the machine on which the sandbox
// runs. GET /sandbox/ lists them: the journal, faults, latency, a rate limit,
// fingerprints, further logins, and a reset. A fingerprint is {count, sum, xor}
// over the distinct members: sum is the sum of the digests, each a 128-bit
// big-endian number, modulo 2^128; xor is their exclusive or; both are 32 hex
// characters.
//
// # Choices that the interface leaves open
//
//   - Codes: E10001 a field is missing or breaks a rule, E10002 a body or its
//     Content-Type cannot be read, E10060 the campaign must be locked, E10061
//     another login holds the lock, E10062 a creative's code is taken, E10063 an id
//     of the supply side belongs to another account, E10069 this sandbox
//     keeps fingerprints and no members; E10404, E10405, E10413, E10429, E10500 and
//     E10503 belong to their HTTP status. The bodies of 404 and 405 are
//     {status: error, message, code}.
//   - Login: 400 for missing parameters, 401 AUTH001 for a wrong password, 403
//     AUTH003 if the user is not linked. A token gives access to every advertiser
//     to which its user is linked; lists are those of the token's advertiser. A record of
//     any other advertiser is 403. The realm VIEW may only read. An AGENCYADMIN of an
//     advertiser has access to the advertisers that were created with a token for it, and
//     to those below them. An advertiser's users and connections list only its own links, under the
//     key username. A login returns a new token of random length; older ones stay
//     valid.
//   - Users: the creator of a user may read, edit and delete it; a user may read
//     and edit itself. A new user needs a password; reportingCurrency defaults to
//     USD; an edit changes the fields it contains. A deactivated user is 404, and its
//     links and tokens end. Its creator may create it again; nobody else can use
//     the name. Every user who may write to an advertiser can link any user to it; a
//     second link replaces the realm.
//   - Advertisers: codes are ADV1, ADV2, …; name, domain, e-mail address and
//     mediaMargin are required; charges must not be negative, percentages are 0 to
//     100; attributionSettings have defaults. A deactivated advertiser reads as
//     INACTIVE and continues to work; a PUT makes it ACTIVE again. Domains are stored
//     in lower-case ASCII. A blocklist takes domains directly below a listed public
//     suffix, including private ones (github.io); removing a domain that is not on
//     it is 404.
//   - Creatives' files have at most 10 MiB (otherwise 413). Their format is recognized by
//     content, not by name; the asset's location is not served. pull follows redirects,
//     waits 10 s, and connects to public addresses and this machine, but not to private
//     networks. A campaign's creativeId may be any text.
//   - The account of the supply side is the token's advertiser. A publisherId or
//     adslotId belongs to the account that used it first. All fields are required;
//     iabCategoryIds may be empty.
//   - Payments need HTTPS, or come from this machine. Test cards: 4111 1111 1111
//     1111 (Visa) and 5555 5555 5555 4444 (Mastercard) pay; 4000 0000 0000 0002 (do
//     not honour), 4000 0000 0000 9995 (insufficient funds), 4000 0000 0000 0069
//     (expired) and 5105 1051 0510 5100 (wrong CVV) are declined with EPMT004. Every
//     other well-formed number is declined, too, so that nobody uses a real card. The base
//     currency is the advertiser's currencyCode; the limits are converted by the
//     day's rate. Deducted fees are 2.9 %.
//   - Reports: campaigns, including the initial ones, serve from the moment when a
//     creative is ACTIVE, and report by day in UTC, today included: 4 to 12
//     impressions a second and creative, at a price at which the campaign spends 80
//     to 115 % of its daily budget, but never above its maxBid. The figures of a
//     creative stay when it is paused or removed. status and approvalStatus are the
//     current ones (canned: ACTIVE). winRate is won / bidsPlaced, displayRate is
//     impressions / won; mediaMargin is in percent on top of the net spend;
//     lifetimeBudget is the daily budget times the days of the campaign until that day
//     (canned: all of its days); a creative has its share of the budgets. Money is
//     in the advertiser's currency.
//   - Billing: a row for each day on which there were campaigns. fxRate is USD per
//     unit of the row's currency, so that InUsd = InCcy × fxRate; a currency without
//     a rate is 400. A charge of type MEDIA follows each complete day; the balance
//     is payments less gross spend, today's included. An unknown advertiser is 404,
//     a period that ends before it starts is 400.
//   - Planning: dates have the documented order, the later one first, at most 90
//     days apart; a period that begins after today is 404. Inventory is generated from
//     the domains of operations/tables/sites.json; geo is a country's code, mediaType DISPLAY or
//     VIDEO.
//   - Metadata: the tables of places and third-party segments are samples. An unknown
//     country in the filter of the cities is 400. A category's id is n for IABn and
//     100 n + m for IABn-m; a sub-category has the sites of its parent; a site may be
//     given as host or URL. fxRateToUSD comes from the
//     committed table and not from the market: approximate values from the end of 2012 to
//     the end of 2025. rateDate is the day in the request; a day without a rate has the
//     last rate before it. Combinations have no versions of systems.
//   - Segments: name and type are required, status defaults to ACTIVE. An update
//     may change everything but the id; members stay. Ids count up and are never
//     reused. Pixel types have an htmlScript.
//   - A segment of type IDFA takes only IDFA in a user's path, one of ANDROID_ID
//     only AID, others both. Adding a member and removing a non-member are 200. Hex
//     digits may be of either case. Every type takes uploads.
//   - An uploaded file has hashes delimited by one comma. Whitespace and line ends
//     around a hash are ignored, and so is one comma at the end. A file without a
//     hash, and anything else, is 400 and nothing is applied. All files of the named
//     field are read, other fields are ignored. A body may have 1 GiB (otherwise 413), a
//     JSON body 8 MiB.
//   - An operation without the campaign's lock, if it needs the lock, is 400 E10060. A
//     second lock by the same login renews the lock. While a login holds the lock, a lock
//     by another login, and any operation that needs the lock, is 400 E10061. Unlocking an
//     unlocked campaign is 200. Targeting needs no lock.
//   - A campaign's code begins with the code of an advertiser to which the user has
//     access. Required: at least one creative, each with code and creativeId,
//     inventorySettings and biddingSettings. An update keeps the lock, and the status
//     of creatives with the same code and creativeId; new ones start PENDING; others
//     are removed. Creative codes are unique across campaigns. The settings objects
//     come back as they were sent; only the parts that the interface shows are
//     checked: devices and iabCategories (by id or name). Fields for which the interface
//     only shows example values (inventoryType, strategy, …) may have any value.
//   - PENDING creatives become ACTIVE by themselves after the approval delay.
//     PENDING → INACTIVE is allowed. The approval then continues, and until its end
//     INACTIVE → ACTIVE is E10059, too, so that nobody bypasses it. A creative that already has
//     the wanted status counts as changed. approvalStatus is PENDING, ACTIVE or
//     INACTIVE.
//   - A second upload of mobileIds adds to the first one; with Options.TargetPost
//     replace, it replaces it.
//   - Mobile device targeting: numberOfIds is the number of distinct ids; batchName is the
//     file's name; without targeting GET is 404, DELETE 200. Targeting by user ids has one
//     entry for each segment; the answer is a list, the latest first; ids that are not MD5
//     digests are accepted, too.
//   - JSON bodies: unknown fields are ignored, Content-Type must be
//     application/json. Paths match exactly, without a slash at the end.
package sandbox
