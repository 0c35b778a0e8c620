// Package doctor implements usher doctor: it checks every connection and setting.
//
//	doctor.go  the command, NATS, Redis, the platform, the suppression list
//	account.go the account on NATS that usher logs in to
//	clocks.go  the clocks of NATS, Redis and the platform
//	places.go  the places that exports are read from
//	values.go  damaged values in NATS, and their repair
package doctor
