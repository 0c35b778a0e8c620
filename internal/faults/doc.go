// Package faults tests usher under faults: it runs usher as it is deployed, breaks servers,
// links and disks, and compares the resulting state with a model. It has tests only.
//
//	campaign_test.go  the test: cycles until the time is over, and the summary
//	cycle_test.go     a cycle: publish jobs, inject faults, wait for the end of all jobs, check
//	replays_test.go   two operators who replay the same letters meanwhile
//	wave_test.go      the jobs of a cycle and their expected results
//	model_test.go     the expected targets, creatives, records, events, audit and letters
//	check_test.go     compares usher's state with the model
//	powercut_test.go  a test of NATS alone: work queues after a power cut
//	planted_test.go   defects that the check must find
//	observe_test.go   reads usher's state, from the leaders of the streams
//	publish_test.go   the publisher, which repeats a job until it has received the PubAck
//	kinds_test.go     the kinds of faults, which are in the next six files
//	killing_test.go   processes that are killed, terminated, stalled or slow
//	network_test.go   links that are slow or cut
//	answers_test.go   faulty responses of the platform
//	sources_test.go   sources of exports that deliver too slowly
//	limits_test.go    limits of NATS: a full stream, max_payload lowered by a reload
//	storage_test.go   full disks, damaged values, power cuts
//	site_test.go      the servers and workers, with the configuration of deploy/
//	nats_test.go      three NATS nodes with the accounts of deploy/nats.conf
//	redis_test.go     Redis, its replica and a Sentinel
//	link_test.go      TCP proxies
//	web_test.go       an https server that has exports
//	volume_test.go    small file systems that can be full or lose power
//	process_test.go   processes, their memory and descriptors
//
// Run it with make faults. These environment variables configure it:
//
//	USHER_FAULTS        how long it runs, such as 10m; without it the test is skipped
//	USHER_FAULTS_SEED   the seed of all random choices; default 1
//	USHER_FAULTS_KINDS  a regular expression of the kinds of faults; default all
//
// The seed determines jobs, faults and their order, but not how processes interleave.
//
// A cycle in which a fault missed its window, for example because all jobs had ended
// before it, is invalid: it counts neither as passed nor as failed. If a kind has no valid
// cycle, the test fails. The summary names the kinds that are not possible on the machine,
// such as power cuts if the user may not mount a file system.
//
// Packet delay and loss are tested by TCP proxies that delay data, stop it, and reset
// connections, because not every kernel has netem. So no packet is lost that TCP would
// repeat: the proxies show what a program sees of loss, a delay or the end of a connection.
//
// After the last cycle, the test plants defects one after the other, such as a device that
// no job added, and fails unless the check finds each of them.
package faults
