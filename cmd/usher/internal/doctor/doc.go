// Package doctor implements usher doctor: it checks every connection and setting.
//
//	doctor.go  the command
//	check.go   runs the checks, each with its own time limit
//	nats.go    NATS and JetStream
//	account.go the account on NATS that usher logs in to
//	values.go  damaged values in NATS, and their repair
//	servers.go Redis and the platform
//	clocks.go  the clocks of NATS, Redis and the platform
//	ledger.go  the place of the ledger
//	places.go  the places that exports are read from, and the suppression list
package doctor
