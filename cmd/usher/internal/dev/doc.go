// Package dev implements usher dev: NATS, Redis, the sandbox and a worker in one process.
package dev
