package records

import (
	"fmt"
	"strings"
)

// JobKey is the key of a job's record in the state bucket.
func JobKey(id string) string { return "jobs." + id }

// PartKey is the key of a part's record in the state bucket.
func PartKey(id string, part int) string { return fmt.Sprintf("parts.%s.%d", id, part) }

// KeysOf returns patterns of all keys of a job: of its parts, of its ending, and, last, of its
// record.
func KeysOf(id string) []string { return []string{"parts." + id + ".*", endingKey(id), JobKey(id)} }

func endingKey(id string) string      { return "ending." + id }
func idOfEndingKey(key string) string { return strings.TrimPrefix(key, "ending.") }
