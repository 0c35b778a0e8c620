// Package config is the configuration: every key with its default, and the flags,
// environment variables and the file that override defaults. No other package reads
// them.
//
//	settings.go     every key, its default and its description
//	constraint.go   the values that a key accepts
//	parse.go        values from text
//	config.go       the configuration: flag, environment, file, default
//	environment.go  environment variables
//	urls.go         addresses, and URLs without their secrets
package config
