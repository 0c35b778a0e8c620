// Package audit is the log of who changed what, and why: each change of a creative under
// its campaign's code, and under a topic each change of a setting or of a dead letter. It
// is stored on the stream of events and kept as long as they are.
package audit
