// Package account reads what a rule file's advertiser has on the platform: its
// campaigns, their creatives and their reports. It uses neither NATS nor Redis.
package account
