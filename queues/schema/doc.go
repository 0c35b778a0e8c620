// Package schema holds the JSON Schemas of jobs, one for each kind, and validates
// jobs against them. Its issues are written for people and never quote a value,
// because a value may be a device id.
//
//	schema.go   Schemas: load, print, validate
//	strict.go   JSON without duplicate fields and within limits
//	issue.go    Issue: a violation, translated from the validator's error
//	deviceid.go texts of a valid job that look like device ids
//	*.json      the schemas
package schema
