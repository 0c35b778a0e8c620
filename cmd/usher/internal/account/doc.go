// Package account reads the campaigns, creatives and reports of a rule file's advertiser
// from the platform. It needs neither NATS nor Redis.
package account
