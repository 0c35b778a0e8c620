// Package faults is the fault campaign: it runs usher as it is deployed, breaks what it
// runs on, and compares what is left with a model of what must be. It has tests only.
//
//	campaign_test.go  the campaign: cycles until the time is over, and the summary
//	cycle_test.go     a cycle: a wave of jobs, faults while they run, quiescence, a check
//	wave_test.go      the jobs of a cycle and what each of them must lead to
//	model_test.go     what targets, creatives, records, events, audit and letters must be
//	check_test.go     compares the model with what is there
//	planted_test.go   defects that the check must find
//	observe_test.go   reads what is there, from the leaders of the streams
//	publish_test.go   the publisher, who keeps a job until it has its PubAck
//	kinds_test.go     the kinds of faults; servers, links and the platform in files below
//	killing_test.go   processes that are killed, terminated, stalled or slow
//	network_test.go   links that are slow or cut
//	answers_test.go   faulty responses of the platform
//	storage_test.go   full disks, damaged values, power cuts
//	site_test.go      the servers and workers, with the configuration of deploy/
//	nats_test.go      three NATS nodes with the accounts of deploy/nats.conf
//	redis_test.go     Redis, its replica and a Sentinel
//	link_test.go      TCP proxies
//	volume_test.go    small file systems that can be full or lose power
//	process_test.go   processes, their memory and descriptors
//
// Run it with make faults. These variables configure it:
//
//	USHER_FAULTS        how long it runs, such as 10m; without it the campaign is skipped
//	USHER_FAULTS_SEED   the seed of all random choices; default 1
//	USHER_FAULTS_KINDS  a regular expression of the kinds of faults; default all
//
// The seed decides jobs, faults and their order, but not how processes interleave.
//
// A cycle in which a fault missed its window, for example because all jobs had ended
// before it, is invalid: it counts neither as passed nor as failed, and a kind of which
// no cycle was valid fails the campaign. Kinds that the machine does not permit, such as
// power cuts without the right to mount a file system, are named in the summary.
//
// After the last cycle, the campaign plants defects one after the other, such as a device
// that no job added, and fails unless the check finds each.
package faults
