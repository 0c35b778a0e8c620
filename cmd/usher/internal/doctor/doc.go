// Package doctor implements usher doctor: it checks every connection and setting.
//
//	doctor.go  the command
//	check.go   runs the checks, each with its own time limit
//	nats.go    NATS and JetStream
//	account.go the account on NATS that usher logs in to
//	values.go  damaged values in NATS, and their repair
//	routes.go  the ports where servers of a cluster of NATS meet
//	monitor.go what only the monitoring port of NATS shows
//	versions.go the versions of workers and of NATS servers, and the files of workers
//	encryption.go whether connections are encrypted
//	redis.go   Redis and its Sentinels
//	servers.go the platform
//	disk.go    how full a disk is
//	disk_unix.go, disk_other.go  what the system tells of a disk
//	clocks.go  the clocks of NATS, Redis and the platform
//	ledger.go  the place of the ledger
//	places.go  the places that exports are read from, and the suppression list
package doctor
