// Package bench implements usher bench: it measures what an installation's NATS and Redis take,
// in a namespace of its own and with the sandbox as platform.
//
//	command.go       the command, the keys of the configuration that it uses, what it prints
//	installation.go  the namespace on NATS and Redis: declared, checked and removed; and the
//	                 sandbox, the platform of the measurement
//	measure.go       the measurements
package bench
