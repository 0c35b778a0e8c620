// Package sandbox is usher sandbox: it serves the platform's sandbox.
package sandbox
