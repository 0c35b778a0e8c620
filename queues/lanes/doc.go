// Package lanes knows the lanes that jobs travel on: their streams and subjects, how many
// jobs wait and run in each, and who has paused one.
package lanes
