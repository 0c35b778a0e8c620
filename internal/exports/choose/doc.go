// Package choose says which column of an export has the device ids, of which kind they are, and what
// is beside them: by the names of the columns, the fields of the job, and the values of a sample of
// rows. What it has chosen stands in a usher.Plan, which package watch compares with every row. A
// column of CSV, of a sheet and of Parquet is one; a path of NDJSON, JSON and Avro is one as well.
//
//	column.go      Column: what a column of a sample holds; how hints name it
//	paths.go       Paths: the values of JSON records as columns
//	fields.go      Wanted, Search: what the fields of a job say of columns; the errors for columns that
//	               they name and an export does not have
//	sample.go      Sample: the rows by which columns are looked at; Complete: what a plan has of them
//	choose.go      Search: what a job looks for; its Choose: the column of device ids, or the error for
//	               one that cannot be determined; OtherIDs: columns that have other ids
//	gaps.go        columns that have ids where the chosen one has none
//	checks.go      Checks: the columns that say no or name another kind of id, and the error for
//	               samples with such rows
//	late.go        Late: such columns that no sampled record has
//	sayings.go     Sayings: the same for people; which rows say neither yes nor no
//	only.go        source.only and source.disregard: the columns and files that they name
//	evidence.go    Evidence: samples that contradict the job's profile and input; rows with a mark
//	               before them; sheets that are not read
//	idshape.go     what ids look like that are none: UUIDs of another version, values that a
//	               spreadsheet has changed
//	androidids.go  damage that only many ANDROID_IDs show; chance.go: what chance explains
//	wrapped.go     ids with a label or quotes around them
//
// The package never guesses: if two columns may be meant, it says so.
package choose
