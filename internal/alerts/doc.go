// Package alerts posts alerts to a webhook in Slack's format: new dead letters, held rule
// runs, late and held feeds, decisions of rules with notify, stalled lanes. Exactly one worker
// of a fleet posts each alert. An alert about NATS is the exception: every worker posts it.
//
//	alerts.go   posts alerts to the webhook
//	detect.go   detects what has happened since the last alert
//	feeds.go    feeds that are late, and exports that are held
//	text.go     the text of an alert
//	notices.go  the lines about decisions of rules with notify
package alerts
