package letters_test

import (
	"testing"

	"usher"
	"usher/queues/letters"
)

// Each change that a hint asks for becomes a command that can be typed as it is printed, if the hint has its
// value. Several values become several commands.
func TestRemediesOfHints(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		class usher.Class
		hint  string
		want  []string // what follows --set, of each way
	}{
		{usher.InvalidJob, "use profile idfa, or a segment of type ANDROID_ID", []string{"profile=idfa"}},
		{usher.InvalidJob, "use profile aaid or android_id, or a segment of type IDFA", []string{"profile=aaid", "profile=android_id"}},
		{usher.InvalidJob, "give the job a different id", nil},
		{usher.InvalidJob, "give one of source.url and source.ids", nil},
		{usher.Deadline, "source.column", nil},
		{usher.Unauthorized, "check platform.username", nil},
		{usher.NotFound, "check the segment's id, which is not its name, and the advertiser", []string{"segment=ID"}},
		{usher.NotFound, "check the campaign's code", []string{"campaign=CODE"}},
		{usher.SourceMissing, "put the complete file in its place; if its name is wrong, correct it with usher dead edit", []string{"source.url=FILE"}},
		{usher.SourceBroken, `set source.column to "2", which is gaid`, []string{"source.column=2"}},
		{usher.SourceBroken, "set source.column to device.gaid", []string{"source.column=device.gaid"}},
		{usher.SourceBroken, `set source.column to "Device ID (new)"`, []string{"'source.column=Device ID (new)'"}},
		{usher.SourceBroken, "set source.column to one of: 2 (gaid), 5 (idfa (old)), 6", []string{"source.column=2", "source.column=5", "source.column=6"}},
		{usher.SourceBroken, "set source.column to the number of one of: 2 (gaid), 5 (gaid)", []string{"source.column=2", "source.column=5"}},
		{usher.SourceBroken, "have the column of device ids written to the export; or, if one of these is it, set source.column to one of: device.gaid, device.idfa", []string{"source.column=device.gaid", "source.column=device.idfa"}},
		{usher.SourceBroken, "set source.column to one of: 1 (a), 2 (b), …", []string{"source.column=COLUMN"}},
		{usher.SourceBroken, "set source.column to one of: 1, 2, 3, 4, 5, 6, 7", []string{"source.column=COLUMN"}},
		{usher.SourceBroken, `if you mean it all the same, set input to md5 if its values are MD5 digests, or set source.column to "3", which is hash`, []string{"input=md5", "source.column=3"}},
		{usher.SourceBroken, `set the profile to aaid, or, if you mean it all the same, set source.column to "1", which is idfa`, []string{"profile=aaid", "source.column=1"}},
		{usher.SourceBroken, "set source.typeColumn to platform, or source.disregard to platform if the column does not say which ids these are", []string{"source.typeColumn=platform", "source.disregard=platform"}},
		{usher.SourceBroken, `set source.only to "consent=yes|true" to leave these rows out, or source.disregard to consent if the column does not decide`, []string{"'source.only=consent=yes|true'", "source.disregard=consent"}},
		{usher.SourceBroken, `set source.only to ["consent=yes|ja","deleted=no"] to leave these rows out, or source.disregard to … for a column that does not decide`, []string{`'source.only=["consent=yes|ja","deleted=no"]'`, "source.disregard=COLUMN"}},
		{usher.SourceBroken, `set source.only to ["country=DE","consent=yes|ja"] to leave these rows out, or source.disregard to ["a","consent"] if the column does not decide`, []string{`'source.only=["country=DE","consent=yes|ja"]'`, `'source.disregard=["a","consent"]'`}},
		{usher.SourceBroken, "set source.typeColumn to os, or source.disregard to os if the column does not say which ids these are; and set source.only to consent=yes to leave these rows out, or source.disregard to consent if the column does not decide", []string{"source.typeColumn=os --set source.only=consent=yes"}},
		{usher.SourceBroken, "leave the rows that say no out of the export; or name the values that may be uploaded in source.only, as consent=VALUE|VALUE; or set source.disregard to consent if the column does not decide", []string{"'source.only=consent=VALUE|VALUE'", "source.disregard=consent"}},
		{usher.SourceBroken, `set source.delimiter to " " and source.column to "3"`, []string{"'source.delimiter= ' --set source.column=3"}},
		{usher.SourceBroken, "have the header name each column; or set source.skip to 3, which leaves the header out, and source.column to the number of the column of device ids", []string{"source.skip=3 --set source.column=COLUMN"}},
		{usher.SourceBroken, "if quotes are ordinary characters, set source.quote to none; if they stand around cells, set source.quote to double", []string{"source.quote=none", "source.quote=double"}},
		{usher.SourceBroken, "submit the job again with source.cut: false, which reads quoted line ends in one piece", []string{"source.cut=false"}},
		{usher.SourceBroken, "set source.typeColumn to the column with the type of each row's id", []string{"source.typeColumn=COLUMN"}},
		{usher.SourceBroken, "find out how its cells are written, and say it by source.escape, source.quote or source.delimiter", []string{"source.escape=VALUE"}},
		{usher.TooManyRejects, "check the job's profile, input and source.column (usher inspect FILE shows what the export holds), or raise maxRejectPercent", []string{"source.column=COLUMN"}},
		{usher.TooManyRejects, "most rows are of another type than the profile's: if that is right, set maxRejectPercent to 100, and upload them by a second job with their profile; otherwise check source.typeColumn", []string{"maxRejectPercent=100"}},
		{usher.Shrink, `check the export; if it is right, submit the job again with "force": true, or with a greater maxRemovePercent`, []string{"force=true"}},
		{usher.Shrink, `check the export; if it is right, submit the job again with "acceptChange": true and "force": true`, []string{"acceptChange=true --set force=true"}},
		{usher.Shrink, `if the shorter list is right, publish the job with "force": true`, []string{"force=true"}},
		{usher.Changed, `have the export written as before; if it is right, submit the job again with "acceptChange": true`, []string{"acceptChange=true"}},
	} {
		found := letters.Remedies(test.class, test.hint)
		for i, remedy := range found {
			want := "nothing"
			if i < len(test.want) {
				want = "usher dead edit --id a --set " + test.want[i] + " && usher dead replay --id a"
			}
			if got := remedy.Commands("--id a"); got != want {
				t.Errorf("%s\n%s\nwant\n%s", test.hint, got, want)
			}
		}
		if len(found) < len(test.want) {
			t.Errorf("%s\n%d ways, want %d: %v", test.hint, len(found), len(test.want), found)
		}
	}
}
