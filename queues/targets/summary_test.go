package targets

import (
	"encoding/json"
	"testing"
)

// The scan of a job finds what decoding finds.
func TestScan(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{}`,
		`{"segment":"1"}`,
		` { "segment" : "1" , "profile":"idfa" } `,
		`{"source":{"ids":["segment","2"],"segment":"3"},"segment":"1"}`,
		`{"segment":"1","source":{"segment":"3","campaign":["x"]}}`,
		`{"reason":"{[,:","campaign":"C-1","deadline":"2026-01-02T03:04:05Z"}`,
		`{"reason":"deadline","campaign":"C-1","percent":20,"dryRun":true,"creatives":["deadline","x"]}`,
		`{"id":"segment","actor":"campaign","segment":"ü ,}"}`,
		`{"durationInDays":3,"segment":"9","force":false}`,
		`{"segment":"","deadline":""}`,
		`{"reason":"\"segment\":\"2\"","segment":"1"}`,
		`{"segm\u0065nt":"1"}`,
	} {
		var scanned, decoded fields
		if err := json.Unmarshal([]byte(body), &decoded); err != nil {
			t.Fatal(body, err)
		}
		if !scanned.scan([]byte(body)) {
			scanned = fields{}
			if err := json.Unmarshal([]byte(body), &scanned); err != nil {
				t.Fatal(body, err)
			}
		}
		if scanned.Segment != decoded.Segment || scanned.Campaign != decoded.Campaign || (scanned.Deadline != nil) != (decoded.Deadline != nil) {
			t.Errorf("of %s the scan finds %+v, and decoding %+v", body, scanned, decoded)
		}
	}
	for _, body := range []string{``, `no JSON`, `{}`, `{`, `{"segment":"1`, `]`, `{"segment":{`} {
		if new(fields).scan([]byte(body)) {
			t.Errorf("%s need not be decoded", body)
		}
	}
}
