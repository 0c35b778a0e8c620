// Package migrate implements usher migrate: it declares streams, consumers and buckets.
package migrate
