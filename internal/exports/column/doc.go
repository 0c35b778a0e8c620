// Package column says which column of an export has the device ids: by the names of the
// columns, and by the values of a sample of its rows. A column of CSV, of a sheet and of Parquet
// is one; a path of NDJSON, JSON and Avro is one as well.
//
//	column.go     Column: what a column of a sample holds; how hints name it
//	paths.go      Paths: the values of JSON records as columns
//	search.go     Search: what a job looks for; how well a name fits
//	choose.go     Choose: the column of device ids, or the error for one that cannot be determined
//	others.go     columns that have other ids
//	gaps.go       columns that have ids where the chosen one has none
//	elsewhere.go  the same in a record of JSON that has no id where the samples have theirs
//	evidence.go   Evidence: samples that contradict the job's profile and input
//	lettercase.go LetterCase: ids of all rows whose letters have the case of another type
//	typechecks.go the columns of types that are checked on every row
//	watch.go      Watch: counts of all columns while an export is read
//
// The package never guesses: if two columns may be meant, it says so.
package column
