// Package doctor is usher doctor: it checks every connection and setting.
//
//	doctor.go  the command, NATS, Redis, the platform, the suppression list
//	places.go  the places that exports are read from
package doctor
