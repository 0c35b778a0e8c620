package main

import (
	"regexp"
	"strings"
	"testing"

	"usher/cmd/usher/internal/command"
)

// TestInvalidFlagsAndArguments checks that every command exits with code 2 and
// names the invalid word and the accepted values.
func TestInvalidFlagsAndArguments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want string // pattern of stderr
	}{
		// Unknown flags, words and values.
		{[]string{"submit", "segment.add", "--segmnt", "1"}, `unknown flag: --segmnt; did you mean "--segment"\?`},
		{[]string{"submit"}, `KIND is missing`},
		{[]string{"submit", "segment.add", "--type", "idfa"}, `unknown flag: --type; did you mean "--profile"\?`},
		{[]string{"submit", "segment.ad"}, `unknown kind of job "segment.ad": accepted are segment.add, .*; did you mean "segment.add"\?`},
		{[]string{"submit", "segment.add", "--profile", "idfs"}, `"idfs" for "--profile" flag: accepted are idfa, aaid, android_id, or .*; did you mean "idfa"\?`},
		{[]string{"submit", "segment.add", "--profile", "idfa/uper"}, `idfa/lower/no-hyphens; did you mean "upper"\?`},
		{[]string{"submit", "segment.add", "--input", "rw"}, `accepted are raw, md5, auto; did you mean "raw"\?`},
		{[]string{"submit", "segment.add", "--delimiter", "ab"}, `accepted are auto, tab, \\u0001, and any one ASCII character`},
		{[]string{"submit", "segment.add", "--compression", "gz"}, `accepted are auto, none, gzip, zstd`},
		{[]string{"submit", "segment.add", "--max-reject-percent", "101"}, `a number from 0 to 100`},
		{[]string{"submit", "segment.add", "--max-reject-percent", "NaN"}, `a number from 0 to 100`},
		{[]string{"submit", "segment.add", "--deadline", "tomorrow"}, `RFC 3339.*2h`},
		{[]string{"submit", "segment.add", "--deadline", "-2h"}, `RFC 3339.*2h`},
		{[]string{"submit", "segment.add", "--timeout", "1s"}, `--timeout .* --wait`},
		{[]string{"submit", "segment.add", "a.csv", "b.csv"}, `1 argument too many`},
		// Flags and files that a kind has no field for.
		{[]string{"submit", "target.clear", "--campaign", "c", "--segment", "1"}, `target.clear does not take --segment; target.clear takes --advertiser, --campaign, --deadline, --id`},
		{[]string{"submit", "campaign.pause", "--campaign", "c", "export.csv"}, `campaign.pause does not take FILE; campaign.pause takes .*--creative`},
		{[]string{"submit", "segment.add", "--segment", "1", "--force"}, `segment.add does not take --force`},
		{[]string{"submit", "segment.add", "--segment", "1", "--column", "idfa"}, `--column describes FILE, which is missing`},
		{[]string{"submit", "segment.add", "--segment", "1", "--ids", "x", "export.csv"}, `FILE and --ids exclude each other`},
		{[]string{"submit", "segment.add", "--segment", "1", "--ids", "x", "--format", "csv"}, `--format describes FILE and cannot be combined with --ids`},
		{[]string{"submit", "segment.add", "--body", "job.json", "--segment", "1"}, `--segment and --body exclude each other`},
		{[]string{"submit", "segment.add", "-"}, `--ids -`},
		// The message does not repeat a raw id.
		{[]string{"submit", "segment.add", "--segment", "1", "6D92078A-8246-4BA4-AE5B-76104861E7DC"}, `looks like a device id`},
		// The other commands.
		{[]string{"jobs"}, `COMMAND is missing: usher jobs takes one of: cancel, ls, show, watch`},
		{[]string{"jobs", "lst"}, `unknown command "lst"`},
		{[]string{"jobs", "lst", "--jsno"}, `unknown command "lst"`},
		{[]string{"jobz", "ls", "--jsno"}, `unknown command "jobz" for "usher"; did you mean "jobs"\?`},
		{[]string{"jobs", "wait", "x"}, `did you mean "watch"\?`},
		{[]string{"jobs", "list", "--jsno"}, `did you mean "--json"\?`},
		{[]string{"dead", "retry", "17"}, `did you mean "replay"\?`},
		{[]string{"jobs", "ls", "--stat", "running"}, `did you mean "--state"\?`},
		{[]string{"jobs", "ls", "--state", "runnin"}, `did you mean "running"\?`},
		{[]string{"jobs", "ls", "--kind", "segment.ad"}, `did you mean "segment.add"\?`},
		{[]string{"jobs", "ls", "--limit", "-1"}, `--limit takes a number`},
		{[]string{"jobs", "show"}, `ID is missing: usher jobs show ID`},
		{[]string{"jobs", "show", "--jsn", "x"}, `did you mean "--json"\?`},
		{[]string{"jobs", "watch", "--timeot", "1s"}, `did you mean "--timeout"\?`},
		{[]string{"jobs", "watch", "--json"}, `flag --json needs the ID of a job`},
		{[]string{"jobs", "cancel", "a", "b"}, `too many: usher jobs cancel ID`},
		{[]string{"dead", "ls", "--clss", "refused"}, `did you mean "--class"\?`},
		{[]string{"dead", "ls", "--class", "refusd"}, `accepted are invalid_job, .*did you mean "refused"\?`},
		{[]string{"dead", "groups", "--since", "yesterday"}, `a duration ago such as 24h`},
		{[]string{"dead", "groups", "--since", "1h", "--until", "2h"}, `flag --until is before --since`},
		{[]string{"dead", "show", "seven"}, `SEQ is a letter's number`},
		{[]string{"dead", "replay", "--rte", "5/s"}, `did you mean "--rate"\?`},
		{[]string{"dead", "replay", "--rate", "5/d"}, `such as 5/s or 100/m`},
		{[]string{"dead", "replay", "--rate", "0"}, `above 0`},
		{[]string{"dead", "replay", "7", "--class", "refused"}, `select letters either by SEQ or by filters`},
		{[]string{"dead", "discard", "--ye"}, `did you mean "--yes"\?`},
		{[]string{"inspect"}, `FILE is missing`},
		{[]string{"inspect", "x.csv", "--colum", "2"}, `did you mean "--column"\?`},
		{[]string{"inspect", "x.csv", "--limit", "-1"}, `--limit takes a number of rows`},
		{[]string{"hash", "--keep-line"}, `did you mean "--keep-lines"\?`},
		{[]string{"hash", "--input", "auto"}, `accepted are raw, md5`},
		{[]string{"hash", "ids.txt"}, `it reads ids from stdin`},
		{[]string{"sandbox", "--liste", "127.0.0.1:0"}, `did you mean "--listen"\?`},
		{[]string{"sandbox", "--listen", "8480"}, `flag --listen: .*host:port`},
		{[]string{"sandbox", "--listen", ":0"}, `--allow-remote`},
		{[]string{"sandbox", "--target-post", "replac"}, `accepted are add, replace; did you mean "replace"\?`},
		{[]string{"sandbox", "--lock-ttl", "0"}, `--lock-ttl takes a duration above 0`},
		{[]string{"sandbox", "--latency", "-1s"}, `--latency takes a duration of 0 or more`},
		{[]string{"migrate", "--nat", "nats://x"}, `did you mean "--nats"\?`},
		{[]string{"doctor", "--jso"}, `did you mean "--json"\?`},
		{[]string{"version", "--jso"}, `did you mean "--json"\?`},
		{[]string{"version", "x"}, `usher version takes no arguments, only flags`},
		{[]string{"help", "jbos"}, `unknown command "jbos" for "usher"; did you mean "jobs"\?`},
		{[]string{"help", "dead", "rply"}, `unknown command "rply" for "usher dead"; did you mean "replay"\?`},
		{[]string{"dead", "show"}, `SEQ or a filter such as --id is missing`},
		{[]string{"inspect", "6D92078A-8246-4BA4-AE5B-76104861E7DC"}, `looks like a device id`},
		// No suggestion, because no flag is similar.
		{[]string{"demo", "--rows", "5"}, `unknown flag: --rows\n`},
		// Flags that override settings, and flags of dev, are checked before usher
		// starts anything.
		{[]string{"run", "--log-level", "loud"}, `flag --log-level takes debug, info, warn or error, not "loud"`},
		{[]string{"run", "--namespace", "a.b"}, `flag --namespace takes letters, digits, - and _, not "a.b"`},
		{[]string{"jobs", "ls", "--nats", "ftp://user:secret@host"}, `flag --nats takes URLs such as .*, not "ftp://user:xxxxx@host"`},
		{[]string{"run", "--redis", "http://secret@host"}, `flag --redis takes redis://.*, not "http://xxxxx@host"`},
		{[]string{"doctor", "--platform", "ftp://x"}, `flag --platform takes http:// or https://, .* not "ftp://x"`},
		{[]string{"run", "--username", ""}, `flag --username takes a word that is not empty`},
		{[]string{"dev", "--nats", "4222"}, `flag --nats: "4222" is not an address: give host:port`},
		{[]string{"dev", "--redis", "localhost"}, `flag --redis: .*give host:port`},
		{[]string{"dev", "--sandbox", "localhost:x"}, `flag --sandbox: .*give host:port`},
		{[]string{"dev", "--console", "8470"}, `flag --console: .*give host:port`},
		{[]string{"dev", "--platform", "ftp://x"}, `flag --platform takes http:// or https://`},
		{[]string{"dev", "--allow", "ftp://x"}, `flag --allow: .*accepted are a directory`},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			t.Parallel()
			var out, errs strings.Builder
			code := execute(t.Context(), c.args, strings.NewReader(""), &out, &errs)
			if code != command.UsageError || out.Len() > 0 {
				t.Errorf("exit code %d, want %d; stdout: %s", code, command.UsageError, out.String())
			}
			if !regexp.MustCompile(c.want).MatchString(errs.String()) {
				t.Errorf("stderr has no match of %s:\n%s", c.want, errs.String())
			}
			if !regexp.MustCompile(`See 'usher .*--help'`).MatchString(errs.String()) {
				t.Errorf("stderr does not refer to the help:\n%s", errs.String())
			}
			if strings.Contains(errs.String(), "6D92078A") {
				t.Errorf("stderr contains a raw id:\n%s", errs.String())
			}
		})
	}
}
