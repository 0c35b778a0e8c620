// Package limits implements usher limits: show and set the platform's rate limits.
package limits
