// Package config reads the configuration. It has every key with its default, which flags,
// environment variables and the configuration file override. No other package reads them.
//
//	settings.go     every key, its default and its description
//	keys.go         describes all keys, for the reference
//	constraint.go   the values that a key accepts
//	parse.go        values from text
//	config.go       the configuration: flag, environment, file, default
//	reload.go       the configuration as it is now, and the files that it comes from
//	environment.go  environment variables
//	urls.go         addresses, and URLs without their secrets
package config
