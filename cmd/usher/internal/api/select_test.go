package api

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"usher/internal/rtb"
)

// TestReadCanBeSentBack gives what a read prints with --json to the operation that writes.
func TestReadCanBeSentBack(t *testing.T) {
	t.Parallel()
	url := startSandbox(t)
	run := func(stdin string, words ...string) (out, errs string) {
		out, errs, err := runAPI(t.Context(), url, stdin, append([]string{"api"}, words...)...)
		if err != nil {
			t.Fatalf("%s: %v", strings.Join(words, " "), err)
		}
		return out, errs
	}
	for _, line := range append(preparations()["ssp.adslot"], preparations()["users.get"]...) {
		if err := runLine(t.Context(), url, strings.Replace(line, "password.txt", writeTemporary(t, "secret"), 1)); err != nil {
			t.Fatal(err)
		}
	}
	run("", "campaigns", "lock", "SANDBOX1-spring")
	for _, c := range []struct{ read, write string }{
		{"campaigns get SANDBOX1-spring", "campaigns put SANDBOX1-spring"},
		{"segments get 1", "segments update 1"},
		{"segments get 1", "segments create"},
		{"users get anna", "users put anna"},
		{"advertisers get SANDBOX1", "advertisers update SANDBOX1 --domain a.example.com --correspondence-email-address a@example.com"},
		{"ssp publisher pub-1", "ssp put-publisher"},
		{"ssp adslot pub-1 slot-1", "ssp put-adslot pub-1"},
	} {
		read := append(strings.Fields(c.read), "--json")
		before, _ := run("", read...)
		if _, errs := run(before, append(strings.Fields(c.write), "--body", "-")...); strings.Contains(errs, "warning") {
			t.Errorf("%s: printed %s", c.write, errs)
		}
		if after, _ := run("", read...); withoutTime(t, after) != withoutTime(t, before) {
			t.Errorf("%s: changed\n%s to\n%s", c.write, before, after)
		}
	}
}

// withoutTime returns JSON without the times of the last change.
func withoutTime(t *testing.T, text string) string {
	t.Helper()
	var data map[string]map[string]any
	if err := json.Unmarshal([]byte(text), &data); err != nil {
		t.Fatal(err)
	}
	for _, record := range data {
		delete(record, "lastModificationTime")
	}
	stripped, err := json.Marshal(data)
	if err != nil {
		t.Fatal(err)
	}
	return string(stripped)
}

// TestListsAreSelected checks --search, --limit and --fields in all forms of output.
func TestListsAreSelected(t *testing.T) {
	t.Parallel()
	url := startSandbox(t)
	for _, c := range []struct{ line, out, errs string }{
		{"metadata cities --search VADUZ", "city   countryCode\nVaduz  LI\n", ""},
		{"metadata cities --countries LI --countries AD --search an --fields city --limit 2", "city\n", "2 of "},
		{"metadata cities --countries LI,AD --search vaduz --csv --fields countryCode,city", "countryCode,city\nLI,Vaduz\n", ""},
		{"metadata cities --countries LI --search vaduz --json --fields city", "{\n  \"cities\": [\n    {\n      \"city\": \"Vaduz\"\n    }\n  ]\n}\n", ""},
		{"campaigns list --search WIN", "SANDBOX1-winter\n", ""},
		{"campaigns list --limit 1 --json", "{\n  \"campaignCodes\": [\n    \"SANDBOX1-autumn\"\n  ]\n}\n", "1 of 9 printed"},
		{"campaigns list --search nothing --json", "{\n  \"campaignCodes\": []\n}\n", ""},
		{"campaigns list --search nothing", "", "none\n"},
		{"segments by-type AID", "id  name               type        status  durationInDays\n2   Android", ""},
		{"reporting campaign SANDBOX1-spring 2014-03-10 2014-03-10 --fields creativeCode,clicks --csv", "creativeCode,clicks\n,", ""},
		{"reporting campaign SANDBOX1-spring 2014-03-10 2014-03-10 --fields creativeCode,clicks --json", "{\n  \"reports\": [\n    {\n      \"clicks\": ", ""},
		{"metadata combinations --limit 1 --fields browserName", "browserName\n", "1 of "},
	} {
		out, errs, err := runAPI(t.Context(), url, "", append([]string{"api"}, strings.Fields(c.line)...)...)
		if err != nil || !strings.HasPrefix(out, c.out) || !strings.HasPrefix(errs, c.errs) || (c.errs == "") != (errs == "") || c.out == "" && out != "" {
			t.Errorf("%s: %v, printed %q and %q, want %q and %q", c.line, err, out, errs, c.out, c.errs)
		}
	}
	for line, want := range map[string]string{
		"segments list --fields id,nam": `--fields nam: accepted are id, name, type, status, durationInDays, intelliPixelPath, htmlScript; did you mean "name"?`,
		"segments list --limit -2":      "--limit takes a number of entries, 0 for all",
	} {
		if _, _, err := runAPI(t.Context(), url, "", append([]string{"api"}, strings.Fields(line)...)...); err == nil || err.Error() != want {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// TestEveryListCanBeSelected checks that each operation that returns a list has the flags.
func TestEveryListCanBeSelected(t *testing.T) {
	t.Parallel()
	root := usherRoot()
	for _, op := range rtb.Operations() {
		call := &apiCall{op: op}
		_, isList := call.list()
		area, verb, _ := strings.Cut(op.Name, ".")
		cmd, _, err := root.Find([]string{"api", area, verb})
		if err != nil {
			t.Fatal(err)
		}
		for flag, wanted := range map[string]bool{"search": isList, "limit": isList, "fields": call.listOfRecords(), "csv": call.listOfRecords(), "chart": call.chart != "" || area == "planning" || area == "reporting" && isList} {
			if has := cmd.Flags().Lookup(flag) != nil; has != wanted {
				t.Errorf("%s has --%s: %v", op.Name, flag, has)
			}
		}
	}
}

// TestWordsComplete asks for the completions of the shell.
func TestWordsComplete(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"segments create --type":                           "INTELLI_PIXEL EMAIL_OPEN EMAIL_CLICK VIEW CART PURCHASE IDFA ANDROID_ID",
		"segments by-type":                                 "IDFA ANDROID_ID",
		"segments contains 1":                              "IDFA AID ANDROID_ID",
		"segments list --fields":                           "id name type status durationInDays intelliPixelPath htmlScript",
		"campaigns set-status SANDBOX1-x --status":         "ACTIVE INACTIVE",
		"advertisers link SANDBOX1 anna":                   "ADMIN VIEW AGENCYADMIN",
		"advertisers create --status":                      "ACTIVE INACTIVE",
		"planning domains-by-device 2014-01-02 2014-01-01": "MOBILE DESKTOP SLATE CONSOLE TV WEARABLE",
		"planning domains 2014-01-02 2014-01-01 --chart":   "impressions",
		"reporting transactions A 1 2 --chart":             "transactionAmountinCcy transactionAmountInUsd",
		"ssp put-adslot pub-1 --position":                  "ATF BTF INT PRE POST",
		"ssp put-adslot pub-1 --formats":                   "IMAGE RICH VAST",
		"payments create A --deduct-card-processor-fees":   "true false",
	} {
		var out bytes.Buffer
		root := usherRoot()
		root.SetArgs(append(append([]string{"__complete", "api"}, strings.Fields(line)...), ""))
		root.SetOut(&out)
		root.SetErr(io.Discard)
		err := root.ExecuteContext(t.Context())
		list, _, _ := strings.Cut(out.String(), ":")
		words := strings.Fields(list)
		if err != nil || strings.Join(words, " ") != want {
			t.Errorf("%s: %v, completes %s, want %s", line, err, strings.Join(words, " "), want)
		}
	}
}

// TestNamesThatPeopleTry checks further names of operations, and pointers to them.
func TestNamesThatPeopleTry(t *testing.T) {
	t.Parallel()
	root := usherRoot()
	for name, want := range map[string]string{
		"campaigns create": "put", "campaigns update": "put", "users create": "put", "users update": "put", "creatives upload": "push",
		"segments put": "update", "segments ls": "list", "segments show": "get", "segments rm": "delete", "advertisers put": "update",
	} {
		cmd, _, err := root.Find(append([]string{"api"}, strings.Fields(name)...))
		if err != nil || cmd.Name() != want {
			t.Errorf("%s is %v, %v", name, cmd.Name(), err)
		}
	}
	for _, line := range []string{"ssp create", "ssp create --publisher-id x", "ssp update"} {
		if _, _, err := runAPI(t.Context(), "http://127.0.0.1:1", "", append([]string{"api"}, strings.Fields(line)...)...); err == nil || !strings.HasSuffix(err.Error(), "use put-publisher or put-adslot") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// TestCommentsInBodies checks that a body may have comments and trailing commas, and that
// its texts stay as they are.
func TestCommentsInBodies(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{// a \"b\"\n\"c\": 1, // d\n}":  `{"c":1}`,
		`{"u": "http://a//b", /* , */ }`:  `{"u":"http://a//b"}`,
		`{"a": [1, 2, /* x */ ], "b": 2}`: `{"a":[1,2],"b":2}`,
		`{"a": "\"// no, }"}`:             `{"a":"\"// no, }"}`,
		`{"a": 1 /* open`:                 "",
		"{} // end":                       `{}`,
		`{"a": ",}"}`:                     `{"a":",}"}`,
	} {
		stripped := withoutComments([]byte(text))
		if len(stripped) != len(text) {
			t.Errorf("%s has another length", text)
		}
		var value json.RawMessage
		if err := json.Unmarshal(stripped, &value); (err == nil) != (want != "") {
			t.Errorf("%s: %v", text, err)
		} else if err == nil {
			compareValues(t, text, value, []byte(want))
		}
	}
}
