// Package heads keeps the heads of ledgers in NATS: for each target on the platform, which
// generation of its ledger is the current one, and which files are the suppression list.
//
//	heads.go    Heads: reads, sets and lists heads
//	metrics.go  NewCollector: members of segments that lapse, for Prometheus
package heads
