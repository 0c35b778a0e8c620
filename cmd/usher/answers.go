package main

import (
	"maps"
	"strconv"
	"sync"
)

// answers counts the platform's answers to this process, by status.
type answers struct {
	mu sync.Mutex
	by map[string]int64
}

func (a *answers) count(status int) {
	word := "none"
	if status > 0 {
		word = strconv.Itoa(status)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.by == nil {
		a.by = map[string]int64{}
	}
	a.by[word]++
}

func (a *answers) all() map[string]int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return maps.Clone(a.by)
}
