// Package bench implements usher bench: it measures what an installation's NATS and Redis take,
// in a namespace of its own and with the sandbox as platform.
//
//	command.go       the command
//	settings.go      which keys of the installation's configuration are used, and which never
//	installation.go  the namespace on NATS and Redis: declared, checked and removed
//	sandbox.go       the platform of the measurement, in this process
//	measure.go       the measurements
//	report.go        what it prints
package bench
