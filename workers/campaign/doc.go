// Package campaign changes campaigns, so that nothing is changed that should not be, and
// every change is on record. There are two kinds of change:
//
//   - campaign.pause and campaign.resume set the status of creatives.
//   - campaign.budget and campaign.bid set a number of the campaign's biddingSettings as a
//     rule has decided. The platform has no call for one number, so the whole campaign is
//     replaced; everything else of it stays as it was.
//
// The protocol has eight steps:
//
//  1. Read the stop switch, by which an operator stops all changes of campaigns. If it
//     is on, the job ends with the warning stopped; if it is unreadable, the job waits.
//     Take the Redis lock campaign/<code>. The switch is read again before every change.
//  2. Lock the campaign on the platform by PUT. If the platform refuses, or its
//     response is lost, retry later.
//  3. Read the campaign, decide what changes, and write the intent into the job's record:
//     what changes, and its state before. A number is also claimed in the memory of rules.
//  4. Send the change. Statuses: POST the new status, once for the whole campaign if all of
//     its creatives change, otherwise for each creative. A number: read the campaign again,
//     and PUT it if nothing else has changed. A call takes at most 10 s, and none is made
//     later than 4 minutes after the lock: a further lock comes first. If a response is
//     lost, the campaign is read back before the call is repeated.
//  5. Judge the response. A POST is judged for each creative: 200, 200 with warnings, 400
//     E10059.
//  6. Read back. What has the wanted state, and had another one before, was changed by this
//     job, unless another job has claimed the change. If the platform does not show a creative
//     that may have been changed, the job is retried, until it fails; see recordMissing.
//  7. Write an audit for each creative, or for the number.
//  8. Unlock by DELETE if the lock was answered with 200 less than 4½ minutes
//     ago; otherwise the lock expires. Release the Redis lock.
//
// A redelivery that finds an intent begins at step 6: for statuses without locks, for a
// number under them. So does a replay, as far as the run before it has posted statuses that
// are not on record: it records them, and its next delivery begins anew.
//
// Each state has one step function for each kind of change that has the state. The first
// table says what the step assumes, what it does, with its numbers above, and what a crash
// after it leaves for the redelivery of the job.
//
//	state            of      assumes              does                   a crash afterwards leaves
//	loading          both    nothing              reads what rules       nothing
//	                                              decided
//	admitting        both    nothing              1: reads the switch    nothing
//	lockingRedis     both    the switch was off,  1: locks in Redis      a Redis lock that expires in 30 s
//	                         or a number's
//	                         intent
//	lockingPlatform  both    the Redis lock       2: PUT …/lock          also a platform lock that expires
//	                                                                     in 5 minutes
//	reading          both    the locks, no        3: reads statuses or   nothing
//	                         intent               the definition,
//	                                              decides
//	claiming         number  a reading            3: claims the change   a claim, which counts as a change
//	                                              in what rules          of the day and is this job's
//	                                              remember
//	intending        both    a reading, and the   3: saves the intent    an intent: read back, then sent
//	                         claim of a number
//	sending          status  both locks, an       4, 5: POSTs, judges    an intent and any of its changes:
//	                         intent, a reading                           read back, the rest posted
//	                         under the locks
//	                 number  both locks, an       4, 5: reads again,     an intent and perhaps its change:
//	                         intent               compares, PUT          read back, then sent again
//	readingBack      both    an intent            6: reads statuses      nothing new: read back again
//	                                              after entries (see
//	                                              below), or the
//	                                              definition
//	settling         number  a lost response      unlocks the platform,  nothing new: read back again
//	                                              waits until it cannot
//	                                              arrive
//	recording        status  a reading after the  6, 7: claims changes,  any of the claims and audits:
//	                         last POST            writes audits          read back again, repeated
//	                                                                     without effect
//	                 number  a reading after the  7: writes the audit,   an audit: repeated without effect
//	                         PUT                  then the memory of
//	                                              rules
//	restoring        status  both locks, every    4, 5: POSTs what the   a list of what is restored:
//	                         change on record     newest job wanted      read back, the rest restored
//	dropping         both    nothing changed      warns, takes the       nothing
//	                                              claim of a number back
//	unlocking        both    nothing is left to   8: DELETE …/lock,      a complete record of an unsettled
//	                         do under the locks   unlocks in Redis       job: nothing is found to do
//
// The second table says which state comes next. Rows without a kind are of both.
//
//	from             to               if
//	loading          dropping         status: the record has no intent, and a newer job has set
//	                                  all creatives of the campaign
//	                 readingBack      status: otherwise, if the record has an intent
//	                 admitting        number: the record has an intent
//	                 dropping         otherwise, if the stop switch was released, or the rule
//	                                  file was changed, after the decision; a number also if
//	                                  the configuration does not allow it
//	                 admitting        otherwise
//	admitting        lockingRedis     the switch is off
//	                 dropping         otherwise, without an intent
//	                 readingBack      status: otherwise; what is open is dropped
//	                 lockingRedis     number: otherwise; what was changed is recorded
//	lockingRedis     lockingPlatform  always
//	lockingPlatform  readingBack      the record has an intent
//	                 reading          otherwise
//	reading          intending        status: always
//	                 claiming         number: it is as the rule saw it
//	                 dropping         number: otherwise
//	claiming         intending        no other job has changed or claimed the number since the
//	                                  decision
//	                 unlocking        otherwise
//	intending        sending          always
//	sending          dropping         number: the stop switch is on, so that nothing was sent
//	                 readingBack      otherwise
//	readingBack      recording        status: nothing is open, or this delivery posts no more:
//	                                  it has posted, the switch is on, or this is the last
//	                                  look; what may not be changed any more, because the
//	                                  decision is outdated or a person keeps rules from it,
//	                                  is not open
//	                 sending          status: otherwise, under the locks
//	                 admitting        status: otherwise, without locks
//	                 recording        number: it is another than before
//	                 settling         number: otherwise, if the response was lost, and the PUT
//	                                  may still arrive
//	                 dropping         number: otherwise, in a redelivery, if the job may not act
//	                                  any more, or it is not as the rule saw it
//	                 claiming         number: otherwise, in a redelivery
//	settling         readingBack      always
//	recording        readingBack      status: another job has written an entry since the reading
//	                 unlocking        status: otherwise, if no creative is overtaken (see below),
//	                                  this delivery has restored, or a response was lost and
//	                                  this is not the last look
//	                 restoring        status: otherwise, under the locks
//	                 admitting        status: otherwise, without locks
//	                 unlocking        number: always
//	restoring        readingBack      always
//	dropping         unlocking        always
//	unlocking        done             always
//
// A step that fails goes to unlocking, and its error settles the job. If posting statuses or
// restoring fails after anything was sent, the job goes to readingBack first; if posting
// fails before, the job drops an intent that the delivery has written. If a
// job has sent a change and ends so that no redelivery may follow (it is cancelled,
// past its deadline, or has lost its lease), it looks once more: it starts again at
// readingBack, with a new context and without sending its intent. If the response to a
// POST was lost, or another job holds a lock, it does so again when the POST has arrived or
// never will (Handler.Late), or when the lock may be free. If the job was cancelled, or its
// deadline passed, between two deliveries, it looks once in the same way, after loading,
// provided that its record has an intent.
//
// # Overtaken creatives
//
// Locks expire, and a request that timed out may still arrive. The change of an
// older job may therefore come after that of a newer job, and the platform has no
// compare-and-set that would prevent this. For each creative an entry names the newest
// job, the status that it wanted, and the last change that a job has claimed. A job
// writes the entry after its last change. The later one of two jobs sees the entry of
// the other, and restores the status that the newest job wanted.
//
// A job reads the entry, then the status, and then writes the entry only if
// nobody has written it since the job read it. If the write succeeds, the status is
// not older than any change that has been claimed, and a job that changes the creative
// after this reading will see this job's entry. If the write fails, another job may have
// changed the creative after the reading, and the job reads again. Times do not
// decide this: latestUpdate has no time zone, so an hour repeats in autumn. Two
// states are the same if their status and their latestUpdate are equal, and no
// state is earlier or later than another.
//
// The following cannot be prevented, because the status and the entry are not
// written together:
//
//   - The newest job is done while an older job has changed the creative and has not
//     yet restored it. This lasts until the older job has read back and restored. If
//     its worker crashes, it lasts until the redelivery, and if the stop switch is
//     on, until the switch is off.
//
//   - A change takes effect after the last reading of the job that made it, and
//     nobody restores it. The response to its POST was lost, and it arrives later
//     than Handler.Late (10 s) after that; or a worker was stopped immediately before
//     a POST for so long that another worker has ended the job, and is killed before
//     its last look; or a job ends in the dead letters, or its last look fails,
//     before it has read back. The creative stays as the older job wanted until a
//     newer job sets it.
//
//   - If the platform shows no latestUpdate, a creative that was changed to another
//     status and back looks unchanged. A change that somebody else makes may then
//     count as that of a job, and a redelivery repeats a change that was set back.
//
//   - latestUpdate does not say what was changed. If a creative is changed otherwise after
//     a delivery has sent a POST, or has crashed and may have sent one, its change may
//     look set back: the creative is left as it is, with the warning changed_meanwhile.
//
// # Numbers between reading and writing
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
// A rule's decision depends on what rules remember of the number. The job that carries it
// out claims the change in that memory before the change, by compare-and-set with the
// memory that the rule saw. Of several decisions on the same memory, made by any workers,
// one is carried out.
//
// # Files
//
//	handler.go   Handler: dependencies, the run of a job, the last look
//	protocol.go  the states and the loop over them
//	decisions.go loading: the decisions of rules
//	guard.go     lockingRedis, lockingPlatform, unlocking; the stop switch, and what must
//	             hold immediately before a change
//	status.go    of statuses: admitting, reading, intending, sending, restoring, dropping
//	readback.go  of statuses: readingBack, recording; how the job ends
//	number.go    of a number: all other states
package campaign
