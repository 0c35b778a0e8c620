// Package alerts tells people what is wrong, by webhook and by mail: new causes of dead letters,
// held rule runs, rules that are blind, late and held feeds, members that lapse, stalled lanes, slow
// sources, workers that are lost, a platform, a Redis or a NATS server that cannot be used, copies of
// NATS's streams that are away, and decisions of rules with notify. Each incident has one message when
// it opens and one when it is solved. The leader of the workers sends them, and keeps in NATS what was
// reported and what waits to be sent, so that the next leader goes on with it. An alert that NATS
// takes no writes is the exception: every worker sends it.
//
//	alerts.go   Alerts: options, and the loop that detects and sends; NATS that takes no writes
//	deliver.go  records what was detected, and sends what is due; quiet hours
//	state.go    what is kept: open incidents and the outbox
//	detect.go   what has happened: held runs, stalled lanes, lost services and workers, slow sources
//	causes.go   causes of dead letters
//	feeds.go    feeds that are late, and exports that are held
//	notices.go  decisions of rules with notify
//	lapse.go    segments whose members lapse soon
//	blind.go    rules that cannot decide, creatives that nothing resumes, and what rules took back
//	message.go  Message: what people are told, also as text
//	webhook.go  posts to a webhook, in the formats of Slack, Teams and Discord, or as plain JSON
//	mail.go     mail by SMTP
package alerts
