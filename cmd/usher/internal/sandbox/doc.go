// Package sandbox implements usher sandbox: it serves the platform's sandbox.
package sandbox
