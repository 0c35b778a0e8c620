// Package column says which column of an export has the device ids: by the names of the
// columns, and by the values of a sample of its rows. A column of CSV, of a sheet and of Parquet
// is one; a path of NDJSON, JSON and Avro is one as well.
//
//	names.go       the names that attribution, analytics and CRM products give their columns,
//	               with a source for each product; names of columns of types; words for states
//	meaning.go     Meaning: the kind of ids and of digests that a name promises; the words of a
//	               name, its canonical spelling, and how well it fits
//	header.go      cells of a header: their text, and whether a cell may be one
//	column.go      Column: what a column of a sample holds; how hints name it
//	paths.go       Paths: the values of JSON records as columns
//	choose.go      Search: what a job looks for; Choose: the column of device ids, or the error
//	               for one that cannot be determined
//	others.go      columns that have other ids
//	gaps.go        columns that have ids where the chosen one has none
//	evidence.go    Evidence: samples that contradict the job's profile and input; the columns of
//	               types that are checked on every row
//	idshape.go     what ids look like that are none: UUIDs of another version, values that a
//	               spreadsheet has changed
//	androidids.go  damage that only many ANDROID_IDs show; chance.go: what chance explains
//	wrapped.go     ids with a label or quotes around them; commented.go: rows with a mark before them;
//	               othersheets.go: sheets that are not read
//	lettercase.go  LetterCase: ids of all rows whose letters have the case of another type
//	checks.go      Checks: the columns that are looked at in every row, and the error for those that
//	               say no or name another kind of id; Sayings: the same for people
//	says.go        the names and words of columns that say no, in ten languages
//	only.go        source.only: Matches
//	watch.go       Watch: counts of all columns while an export is read
//
// The package never guesses: if two columns may be meant, it says so.
package column
