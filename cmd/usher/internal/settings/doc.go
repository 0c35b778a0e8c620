// Package settings implements usher settings, lanes, limits and stop-switch: what people set at
// run time. The commands usher rules and usher feeds pause rules and feeds.
//
//	settings.go    usher settings: lists all of it
//	lanes.go       usher lanes
//	limits.go      usher limits
//	stopswitch.go  usher stop-switch
package settings
