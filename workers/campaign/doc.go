// Package campaign runs campaign.pause and campaign.resume: it sets the status
// of creatives so that nothing is paused or resumed that should not be, and so
// that every change is on record.
//
// The protocol has eight steps:
//
//  1. Read the stop switch, by which an operator stops all changes of creatives. If it
//     is on, the job ends with the warning stopped; if it is unreadable, the job waits.
//     Take the Redis lock campaign/<code>. The switch is read again before every POST.
//  2. Lock the campaign on the platform by PUT. If the platform refuses, or its
//     response is lost, retry later.
//  3. Read the statuses and write the intent into the job's record: which
//     creatives change, and their status before.
//  4. POST the new status, once for the whole campaign if all of its creatives
//     change, otherwise for each creative. A call takes at most 10 s, and none
//     is made later than 4 minutes after the PUT: a further PUT comes first. If the
//     response to a POST is lost, the statuses are read back before the POST is
//     repeated.
//  5. Judge the response for each creative: 200, 200 with warnings, 400 E10059.
//  6. Read back. A creative that has the wanted status, and had another one before, was
//     changed by this job, unless another job has claimed the change.
//  7. Write an audit for each creative.
//  8. Unlock by DELETE if the PUT was answered with 200 less than 4½ minutes
//     ago; otherwise the lock expires. Release the Redis lock.
//
// A redelivery that finds an intent begins at step 6, without locks.
//
// Each state has one step function. The first table says what the step assumes,
// what it does, with its numbers above, and what a crash after it leaves for the
// redelivery of the job.
//
//	state            assumes              does                   a crash afterwards leaves
//	loading          nothing              reads what rules       nothing
//	                                      decided
//	admitting        nothing              1: reads the switch    nothing
//	lockingRedis     the switch was off   1: locks in Redis      a Redis lock that expires in 30 s
//	lockingPlatform  the Redis lock       2: PUT …/lock          also a platform lock that expires
//	                                                             in 5 minutes
//	intending        both locks, no       3: reads statuses,     an intent: its creatives are found
//	                 intent               saves the intent       open and posted
//	posting          both locks, an       4, 5: POSTs, judges    an intent and any of its changes:
//	                 intent, a reading                           read back, the rest posted
//	                 under the locks
//	readingBack      an intent            6: reads entries       nothing new: read back again
//	                                      (see below), then
//	                                      statuses
//	recording        a reading after      6, 7: claims changes,  any of the claims and audits:
//	                 the last POST        writes audits          read back again, repeated
//	                                                             without effect
//	restoring        both locks, every    4, 5: POSTs what the   a list of what is restored:
//	                 change on record     newest job wanted      read back, the rest restored
//	unlocking        nothing is left to   8: DELETE …/lock,      a complete record of an unsettled
//	                 do under the locks   unlocks in Redis       job: nothing is found to do
//
// The second table says which state comes next.
//
//	from             to               if
//	loading          unlocking        the record has no intent, and a newer job has set all
//	                                  creatives of the campaign
//	                 readingBack      otherwise, if the record has an intent
//	                 unlocking        otherwise, if the stop switch was released, or the
//	                                  rule file was changed, after the decision
//	                 admitting        otherwise
//	admitting        lockingRedis     the switch is off
//	                 unlocking        otherwise, without an intent
//	                 readingBack      otherwise: what is open is dropped
//	lockingRedis     lockingPlatform  always
//	lockingPlatform  readingBack      the record has an intent
//	                 intending        otherwise
//	intending        posting          always
//	posting          readingBack      always
//	readingBack      recording        nothing is open, or this delivery posts no more: it has
//	                                  posted, the switch is on, or this is the last look
//	                 posting          otherwise, under the locks
//	                 admitting        otherwise, without locks
//	recording        readingBack      another job has written an entry since the reading
//	                 unlocking        otherwise, if no creative is overtaken (see below),
//	                                  this delivery has restored, or a response was lost and
//	                                  this is not the last look
//	                 restoring        otherwise, under the locks
//	                 admitting        otherwise, without locks
//	restoring        readingBack      always
//	unlocking        done             always
//
// A step that fails goes to unlocking, and its error settles the job. If posting or
// restoring fails after anything was sent, the job goes to readingBack first; if posting
// fails before, the job drops an intent that the delivery has written. If a
// job has sent a POST and ends so that no redelivery may follow (it is cancelled,
// past its deadline, or has lost its lease), it looks once more: it starts again at
// readingBack, with a new context and without posting its intent. If the response to a
// POST was lost, or another job holds a lock, it does so again when the POST has arrived or
// never will (Handler.Late), or when the lock may be free.
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
// # Files
//
//	handler.go   Handler: dependencies, the run of a job, the last look
//	protocol.go  the states and the loop over them
//	decisions.go loading: the decisions of rules
//	locks.go     admitting, lockingRedis, lockingPlatform, unlocking
//	intent.go    intending: which creatives change
//	post.go      posting: one POST and what must hold before it
//	judge.go     what a response says about each creative
//	readback.go  readingBack: entries, statuses, and the creatives that are still open
//	record.go    recording: the outcome for each creative; how the job ends
//	audit.go     the audits
//	ownership.go pauses of what a rule has paused, which it may then not resume
//	restore.go   restoring: creatives that an older job has changed since
//
// Package workers/locking has the two locks, the stop switch, and the times after which a
// call is too late.
package campaign
