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
//	auth.go, segments.go, campaigns.go, targeting.go, statuses.go
//	              the operations' behaviour, a file per service
//	world.go      the state; table.go its rows, members.go sets of digests
//	statelog.go   the state on disk, which a kill -9 does not hurt
//	journal.go    what was asked and answered
//	faults.go     faults to order; trouble.go makes them; control.go is /sandbox/
//	seed.go       what there is at the start
//
// # At the start
//
// One login (sandbox, sandbox), linked to the advertiser SANDBOX1 as ADMIN.
// Segments: 1 "iOS customers" of type IDFA, 2 "Android customers" of type
// ANDROID_ID, 3 "Product page visitors" of type VIEW, 4 "iOS newsletter" of
// type IDFA; all empty. Campaigns, each with creatives <name>-1 to <name>-n,
// all ACTIVE: SANDBOX1-spring (2), -summer (3), -autumn (4), -winter (5),
// -launch (2), -loyalty (3), -retarget (4), -video (5), -brand (3). With another
// advertiser in Options the campaigns begin with that.
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
//     another login holds the lock, E10062 a creative's code is taken; E10404,
//     E10405, E10413, E10429, E10500, E10503 go with their HTTP status. 404 and 405
//     bodies are {status: error, message, code}.
//   - Login: 400 missing parameters, 401 AUTH001 wrong password, 403 AUTH003 not
//     linked. A token reaches every advertiser that its user is linked to; lists
//     are the token's advertiser's. What belongs to an advertiser out of reach is
//     403. The realm VIEW only reads. A login gives a new token of random length
//     and leaves older ones alive.
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
//     come back as they were sent.
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
