// Package config is the configuration: every key with its default, and the flags,
// environment variables and file that override it. Nothing else reads them.
//
//	settings.go  every key, its default and its description
//	accepts.go   the values that a key accepts
//	parse.go     values from text
//	config.go    precedence: flag, environment, file, default
//	urls.go      addresses, and URLs without their secrets
package config
