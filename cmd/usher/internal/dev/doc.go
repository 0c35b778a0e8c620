// Package dev is usher dev: NATS, Redis, the sandbox and a worker in one process.
package dev
