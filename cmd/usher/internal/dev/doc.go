// Package dev implements usher dev: NATS, Redis, the sandbox and a worker in one process.
//
//	dev.go    the command, its flags, and the configuration that follows from them
//	exports.go  two days of an export, to try usher with
//	parts.go  Run: starts all parts, and stops them in reverse order
package dev
