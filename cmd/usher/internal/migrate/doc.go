// Package migrate is usher migrate: it declares streams, consumers and buckets.
package migrate
