// Package bidding runs campaign.budget and campaign.bid: it sets a number of a campaign's
// biddingSettings as a rule has decided. The platform has no call for one number, so the
// whole campaign is read, and replaced under its lock. Everything else of it stays as it was.
//
// Each state has one step function. The first table says what the step assumes, what it
// does, and what a crash after it leaves for the redelivery of the job.
//
//	state            assumes           does                         a crash afterwards leaves
//	loading          nothing           reads what the rule decided  nothing
//	admitting        nothing           reads the stop switch        nothing
//	lockingRedis     nothing           locks in Redis               a Redis lock that expires in 30 s
//	lockingPlatform  the Redis lock    PUT …/lock                   also a platform lock that expires
//	                                                                in 5 minutes
//	reading          both locks        reads the definition         nothing
//	claiming         a reading         claims the change in the     a claim, which counts as a change
//	                                   memory of rules              of the day and is this job's
//	intending        the claim         saves the intent             an intent: read back
//	writing          an intent         reads again, compares, PUT   an intent and perhaps its change:
//	                                                                read back, then written again
//	readingBack      an intent         reads the definition         nothing new: read back again
//	settling         a lost response   unlocks the platform, waits  nothing new: read back again
//	                                   until it cannot arrive
//	recording        a reading after   writes the audit, then the   an audit: repeated without effect
//	                 the PUT           memory of rules
//	dropping         nothing changed   takes the job's claim back   nothing
//	unlocking        nothing is left   DELETE …/lock, unlocks in    a complete record: read back,
//	                 to do             Redis                        recorded again without effect
//
// The second table says which state comes next.
//
//	from             to               if
//	loading          admitting        the job may act, or the record has an intent
//	                 dropping         otherwise
//	admitting        lockingRedis     the switch is off, or the record has an intent
//	                 dropping         otherwise
//	lockingRedis     lockingPlatform  always
//	lockingPlatform  reading          always
//	reading          recording        the record has an intent, and the number is another than
//	                                  before
//	                 dropping         otherwise, if it has one, and the job may not act any more
//	                 claiming         otherwise, if the number is as the rule saw it
//	                 dropping         otherwise
//	claiming         intending        no other job has changed or claimed the number since the decision
//	                 unlocking        otherwise
//	intending        writing          always
//	writing          readingBack      the PUT was sent, and may have been carried out
//	                 dropping         otherwise, if the stop switch is on
//	readingBack      recording        the number is another than before
//	                 settling         otherwise, if the response was lost
//	settling         readingBack      always
//	recording        unlocking        always
//	dropping         unlocking        always
//	unlocking        done             always
//
// A step that fails goes to unlocking, and its error settles the job. If a job has sent its
// PUT and ends so that no redelivery may follow, it reads back once more.
//
// # Between reading and writing
//
// The platform's lock keeps other logins away, and the Redis lock other workers. Neither
// keeps away another client with the same login, and uploads need no lock. The definition is
// therefore read again immediately before the PUT, and if anything but the time of the last
// change is different, nothing is written and the job begins again. What the PUT has changed
// besides the number is found afterwards, and stands in the record as the warning
// changed_otherwise.
//
// A PUT whose response was lost is not sent again until it has taken effect or cannot
// arrive any more. The platform refuses it as soon as the campaign is unlocked, which
// settling does first. What cannot be prevented: it arrives later than Handler.Late,
// under a lock that another job of usher has taken since.
//
// # Once a day
//
// A rule's decision depends on what rules remember of the number. The job that carries it
// out claims the change in that memory before the change, by compare-and-set with the
// memory that the rule saw. Of several decisions on the same memory, made by any workers,
// one is carried out.
//
// # Files
//
//	handler.go   Handler: dependencies, the run of a job
//	protocol.go  the states and the loop over them
//	decision.go  loading: the decision of the rule
//	locks.go     admitting, lockingRedis, lockingPlatform, unlocking
//	read.go      reading: may the number be changed?
//	claim.go     claiming, dropping, intending
//	write.go     writing: the PUT
//	readback.go  readingBack, settling
//	record.go    recording: the audit and the memory of rules
package bidding
