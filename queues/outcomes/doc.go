// Package outcomes stores numbers from outside beside the decisions of rules, which read them:
// see usher/internal/outcomes, which decides what a delivery changes.
//
//	store.go   Store: puts deliveries, reads what is stored
//	list.go    what is stored, for people
//	damage.go  what usher cannot have written or has lost, and its repair
package outcomes
