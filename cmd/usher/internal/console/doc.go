// Package console serves usher's console address: the web console, /healthz, /readyz
// and /metrics. It also has the command usher console.
//
//	server.go   the server, its TLS, its logins and /metrics
//	sources.go  connects the web console to queue, rules, platform and campaigns
//	services.go checks NATS, Redis and the platform, for the web console and /readyz
//	command.go  usher console passwd
package console
