// Package alerts posts alerts to a webhook in Slack's format: new dead letters,
// held rule runs, findings of rules that notify, stalled lanes. Exactly one worker of a
// fleet posts each alert.
//
//   - alerts.go: polls for news and posts it
//   - notices.go: the lines about rules that notify
//   - news.go: detects what is new since the last alert
package alerts
