// Package alerts posts news to a webhook in Slack's format: new dead letters, held
// runs of rules, stalled lanes. Of a fleet's workers, one posts each.
package alerts
