// Package embedded runs NATS and Redis in this process.
package embedded
