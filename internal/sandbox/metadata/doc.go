// Package metadata holds the tables behind the platform's lookups: places,
// categories, currencies and their rates, systems, devices, publishers' sites.
// SOURCES.md says where they come from; make.mjs makes them.
//
//	tables.go        the embedded files, read line by line
//	lookups.go       the lists, a function for each
//	combinations.go  which browsers run on which systems and devices
//	rates.go         exchange rates by day
package metadata
