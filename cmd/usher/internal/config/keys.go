package config

import (
	"fmt"
	"strings"
	"time"
)

// Key describes a key of the configuration, for its reference.
type Key struct {
	Name     string
	Variable string // the environment variable that sets it
	Default  string // "": none
	About    string
	FromFile bool // the variable with the suffix _FILE names a file with the value
}

// Keys describes all keys, in the order of the example file.
func Keys() []Key {
	keys := make([]Key, 0, len(settings()))
	for _, s := range settings() {
		keys = append(keys, Key{Name: s.key, Variable: s.variable(), Default: s.shownDefault(), About: s.about, FromFile: s.hasFileVariable()})
	}
	return keys
}

// shownDefault returns the default as people write it: 24h, and not 24h0m0s.
func (s setting) shownDefault() string {
	switch value := s.value.(type) {
	case []string:
		return strings.Join(value, ",")
	case time.Duration:
		text := value.String()
		if short, whole := strings.CutSuffix(text, "m0s"); whole {
			text = short + "m"
		}
		if short, whole := strings.CutSuffix(text, "h0m"); whole {
			text = short + "h"
		}
		return text
	default:
		return fmt.Sprint(value)
	}
}
