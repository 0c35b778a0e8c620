// Package outcomes has numbers from outside that conditions of rules read as outcome.NAME: installs,
// sales, revenue of a campaign or of one of its creatives on a day.
//
//	delivery.go  Delivery: rows as they were delivered; Read: of a table; what is refused
//	value.go     Value: a number and when it became known; Values: the versions of one. A
//	             number that is delivered again becomes a version if it differs, and is not added up
//	month.go     Month: the values of a campaign in a month, and Days: which days are complete
//	facts.go     Facts: the values that were known at a time, as package figures takes them
package outcomes
