package queues

import (
	"fmt"
	"strings"

	"usher/queues/store"
)

// Keys of the state bucket.
func jobKey(id string) string         { return "jobs." + id }
func partKey(id string, p int) string { return fmt.Sprintf("parts.%s.%d", id, p) }
func endingKey(id string) string      { return "ending." + id }
func targetKey(target string) string  { return "targets." + store.Token(target) }
func creativeKey(code string) string  { return "creatives." + store.Token(code) }
func idOfEndingKey(key string) string { return strings.TrimPrefix(key, "ending.") }
