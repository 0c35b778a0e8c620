// Package console serves usher's console address: the web console, /healthz, /readyz
// and /metrics. It also has the command usher console.
//
//	server.go   the server, its TLS and its logins
//	metrics.go  /metrics
//	sources.go  jobs, lanes, the platform and campaigns for the web console
//	letters.go  dead letters for the web console
//	rules.go    rules and their runs for the web console
//	audit.go    the audit for the web console
//	command.go  usher console passwd
package console
