// Package metadata has the tables of the platform's metadata operations: places,
// categories, currencies and their rates, systems, devices, publishers' sites.
// SOURCES.md names their sources; make.mjs generates them.
//
//	tables.go        the embedded files, read line by line
//	lookups.go       the lists, a function for each
//	combinations.go  which browsers run on which systems and devices
//	rates.go         exchange rates by day
package metadata
