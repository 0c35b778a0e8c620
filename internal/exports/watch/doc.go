// Package watch compares every row of an export with what package choose has found in a sample, since
// the samples may miss a row that decides. What does not fit is counted for a warning, withheld, or
// ends the job.
//
//	checks.go      Checks: the columns of a plan that are looked at in every row, those of
//	               source.only, those that say no and those of types; what they have found
//	late.go        Late: fields that say no and that no sampled record has
//	gaps.go        which values may be meant where the chosen column has none; for records of NDJSON
//	avro.go        such values in Avro, parquet.go: in Parquet, sheet.go: in sheets. CSV and NDJSON
//	               look for them while they are split, in their packages
//	sheet.go       Sheet: whether another column of a sheet without a header has ids as well
//	headers.go     what tells another header within the rows from a row
//	lettercase.go  LetterCase: ids whose letters have the case of another type
//
// The counts that all formats share, Checks, Gaps and Moved, are in package rows.
package watch
