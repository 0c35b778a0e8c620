// Package shutdown turns signals into the two contexts of a worker.
package shutdown
