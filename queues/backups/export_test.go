package backups

// Send is for the tests.
var Send = send
