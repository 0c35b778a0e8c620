package exports_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/avro"
	"github.com/twmb/avro/ocf"

	"usher"
	"usher/internal/exports"
)

// element is an element of an array of devices.
type element map[string]string

// arraysOf writes records with arrays of devices: as NDJSON, as a JSON document, and as Avro, whose elements are
// records with an optional field, and maps.
func arraysOf(t *testing.T, field string, records [][]element) map[string]string {
	t.Helper()
	var lines bytes.Buffer
	files := map[string]string{}
	for name, items := range map[string]string{
		"avro records": fmt.Sprintf(`{"type":"record","name":"d","fields":[{"name":"idfa","type":["null","string"]},{"name":%q,"type":["null","string"]}]}`, field),
		"avro maps":    `{"type":"map","values":"string"}`,
	} {
		schema, err := avro.Parse(`{"type":"record","name":"r","fields":[{"name":"note","type":"string"},{"name":"devices","type":{"type":"array","items":` + items + `}}]}`)
		must(t, err)
		var data bytes.Buffer
		w, err := ocf.NewWriter(&data, schema, ocf.WithBlockBytes(4<<10))
		must(t, err)
		for _, devices := range records {
			var elements []any
			for _, d := range devices {
				fields := map[string]any{}
				if name == "avro records" {
					fields = map[string]any{"idfa": nil, field: nil}
				}
				for key, value := range d {
					fields[key] = value
				}
				elements = append(elements, fields)
			}
			must(t, w.Encode(map[string]any{"note": strings.Repeat("x", 60), "devices": elements}))
		}
		must(t, w.Close())
		files[name] = data.String()
	}
	for _, devices := range records {
		line, err := json.Marshal(map[string]any{"note": strings.Repeat("x", 60), "devices": devices})
		must(t, err)
		lines.Write(append(line, '\n'))
	}
	files["ndjson"], files["json"] = lines.String(), "["+strings.ReplaceAll(strings.TrimSpace(lines.String()), "\n", ",\n")+"]"
	return files
}

// pairsOf returns a record of two devices 20 times, with other ids each time.
func pairsOf(first, second element) (records [][]element) {
	for i := range 20 {
		devices := []element{{"idfa": uuid(2 * i)}, {"idfa": uuid(2*i + 1)}}
		for k, d := range []element{first, second} {
			maps.Copy(devices[k], d)
		}
		records = append(records, devices)
	}
	return records
}

// A flag in an array counts for the ids in its element, and the other ids have a blank cell.
func TestFlagsInArrays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		field         string
		first, second string // "": the element lacks the field
		only          string
		want          string // of the refusal or the warning
	}{
		"a consent":         {"ad_tracking_enabled", "true", "", "", "20 of 40 sampled rows with an id say neither yes nor no in column devices.ad_tracking_enabled ((empty) 20)"},
		"a consent, second": {"ad_tracking_enabled", "", "true", "", "20 of 40 sampled rows with an id say neither yes nor no in column devices.ad_tracking_enabled ((empty) 20)"},
		"only":              {"ad_tracking_enabled", "true", "", "devices.ad_tracking_enabled=true", "+-"},
		"only, second":      {"ad_tracking_enabled", "", "true", "devices.ad_tracking_enabled=true", "-+"},
		"only the blank":    {"limit_ad_tracking", "", "true", "devices.limit_ad_tracking=|false", "+-"},
		"only, both":        {"ad_tracking_enabled", "false", "true", "devices.ad_tracking_enabled=true", "-+"},
		"an opt-out":        {"limit_ad_tracking", "", "true", "", "column devices.limit_ad_tracking says no in 20 of 40 sampled rows with an id: (empty) 20 (upload), true 20 (leave out)"},
	} {
		devices := []element{{}, {}}
		for i, value := range []string{c.first, c.second} {
			if value != "" {
				devices[i][c.field] = value
			}
		}
		for format, data := range arraysOf(t, c.field, pairsOf(devices[0], devices[1])) {
			o, src := export(t, data, exports.Options{})
			if src.Column = "devices.idfa"; c.only != "" {
				src.Only = []string{c.only}
			}
			rows, plan, err := readType(t, o, src, usher.IDFA, 0)
			switch {
			case c.only != "":
				for i, row := range withheldRows(rows) {
					if isTaken := c.want[i%2] == '+'; isTaken && row != uuid(i) || !isTaken && row != "*0" {
						t.Fatalf("%s, %s: row %d is %q", name, format, i, row)
					}
				}
				if err != nil || len(rows) != 40 || len(plan.Warnings) > 0 {
					t.Errorf("%s, %s: %d rows, %+v, %v", name, format, len(rows), plan.Warnings, err)
				}
			case err != nil:
				if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s, %s: %v, want %s", name, format, err, c.want)
				}
			case len(plan.Warnings) != 1 || !strings.HasPrefix(plan.Warnings[0].Description, c.want):
				t.Errorf("%s, %s: %+v, want %s", name, format, plan.Warnings, c.want)
			}
		}
	}
}

// An element of an array without a type has none, whatever the types of its siblings are.
func TestTypesInArrays(t *testing.T) {
	t.Parallel()
	for format, data := range arraysOf(t, "os", pairsOf(element{}, element{"os": "ios"})) {
		o, src := export(t, data, exports.Options{})
		src.Column, src.TypeColumn = "devices.idfa", "devices.os"
		rows, types, err := readTyped(t, o, src, 0)
		if err != nil || len(rows) != 40 {
			t.Fatalf("%s: %d rows, %v", format, len(rows), err)
		}
		for i, found := range types {
			if want := []usher.RowType{usher.RowOther, usher.RowIOS}[i%2]; found != want {
				t.Fatalf("%s: row %d is of type %d, want %d", format, i, found, want)
			}
		}
	}
}

// A flag that no sampled record has refuses the ids in its element only.
func TestLateFlagsInArrays(t *testing.T) {
	t.Parallel()
	const at = manyRows - 1000
	for name, c := range map[string]struct {
		field   string
		devices []element
		refused bool
	}{
		"an opt-out":               {"limit_ad_tracking", []element{{"idfa": id1}, {"idfa": id2, "limit_ad_tracking": "true"}}, true},
		"the first of two":         {"limit_ad_tracking", []element{{"idfa": id1, "limit_ad_tracking": "true"}, {"idfa": id2, "limit_ad_tracking": "false"}, {"idfa": id3}}, true},
		"an opt-out without an id": {"limit_ad_tracking", []element{{"idfa": id1}, {"limit_ad_tracking": "true"}}, false},
		"a blank id":               {"limit_ad_tracking", []element{{"idfa": id1}, {"idfa": "", "limit_ad_tracking": "true"}}, false},
		"no opt-out":               {"limit_ad_tracking", []element{{"idfa": id1}, {"idfa": id2, "limit_ad_tracking": "false"}}, false},
	} {
		var records [][]element
		for i := range manyRows {
			records = append(records, []element{{"idfa": uuid(i)}})
		}
		records[at] = c.devices
		files := arraysOf(t, c.field, records)
		delete(files, "avro records") // the schema names the field, so that it is not late
		for format, data := range files {
			_, err := readWhole(t, data, exports.Wanted{Type: usher.IDFA}, func(src *usher.Source) { src.Column = "devices.idfa" })
			want := fmt.Sprintf("column devices.%s, which no sampled record has, says no, first in record %d", c.field, at+1)
			if c.refused != (err != nil) || c.refused && (class(err) != usher.SourceBroken || !strings.Contains(err.Error(), want)) {
				t.Errorf("%s, %s: %v", name, format, err)
			}
		}
	}
}

// Flags that say no in an array behind the samples refuse the ids in their element only.
func TestFlagsInArraysBehindSamples(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		devices []element
		refused bool
	}{
		"an id":    {[]element{{"idfa": id1}, {"idfa": id2, "limit_ad_tracking": "true"}}, true},
		"no id":    {[]element{{"idfa": id1}, {"limit_ad_tracking": "true"}}, false},
		"blank id": {[]element{{"idfa": id1}, {"idfa": "", "limit_ad_tracking": "true"}}, false},
	} {
		var records [][]element
		for i := range manyRows {
			records = append(records, []element{{"idfa": uuid(i), "limit_ad_tracking": "false"}})
		}
		records[manyRows-1000] = c.devices
		for format, data := range arraysOf(t, "limit_ad_tracking", records) {
			o, src := export(t, data, exports.Options{})
			src.Column = "devices.idfa"
			rows, _, err := readType(t, o, src, usher.IDFA, 0)
			if c.refused != (err != nil) || c.refused && !strings.Contains(err.Error(), fmt.Sprintf("column devices.limit_ad_tracking says no, first in record %d", manyRows-1000+1)) {
				t.Errorf("%s, %s: %d rows, %v", name, format, len(rows), err)
			}
		}
	}
}

// Paths that meet outside of an array, keys with dots, and keys that are repeated.
func TestFlagsBesideArrays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		record, column, only string
		want                 string
	}{
		"of the record":       {`{"consent":"yes","devices":[{"idfa":"%s"},{"idfa":"%s"}]}`, "devices.idfa", "consent=yes", "++"},
		"of the user":         {`{"users":[{"consent":"yes","devices":[{"idfa":"%s"}]},{"devices":[{"idfa":"%s"}]}]}`, "users.devices.idfa", "users.consent=yes", "+-"},
		"below the element":   {`{"devices":[{"ids":["%s"],"att":{}},{"ids":["%s"],"att":{"consent":"yes"}}]}`, "devices.ids", "devices.att.consent=yes", "-+"},
		"arrays in arrays":    {`{"devices":[[{"idfa":"%s"}],[{"idfa":"%s","consent":"yes"}]]}`, "devices.idfa", "devices.consent=yes", "-+"},
		"several, one no":     {`{"devices":[{"idfa":"%s","consents":[{"given":"no"},{"given":"no"}]},{"idfa":"%s","consents":[{"given":"no"},{"given":"yes"}]}]}`, "devices.idfa", "devices.consents.given=yes", "-+"},
		"parallel arrays":     {`{"idfa":["%s","%s"],"consent":["no","yes"]}`, "idfa", "consent=yes", "-+"},
		"no array":            {`{"device":{"idfa":["%s","%s"],"consent":"yes"}}`, "device.idfa", "device.consent=yes", "++"},
		"the record an array": {`[{"idfa":"%s"},{"idfa":"%s","consent":"yes"}]`, "idfa", "consent=yes", "-+"},
		"dots":                {`{"devices":[{"idfa":"%s"},{"idfa":"%s"}],"devices.consent":"yes"}`, "devices.idfa", "devices.consent=yes", "++"},
		"ids with dots":       {`{"devices":[{"consent":"yes"}],"devices.idfa":["%s","%s"]}`, "devices.idfa", "devices.consent=yes", "++"},
		"repeated arrays":     {`{"devices":[{"consent":"yes"},{"consent":"yes"}],"devices":[{"idfa":"%s"},{"idfa":"%s","consent":"yes"}]}`, "devices.idfa", "devices.consent=yes", "-+"},
		"repeated flags":      {`{"devices":[{"idfa":"%s","consent":"yes","consent":"no"},{"idfa":"%s","consent":"no","consent":"yes"}]}`, "devices.idfa", "devices.consent=yes", "-+"},
	} {
		o, src := export(t, rowsFrom(0, 20, func(i int) string { return fmt.Sprintf(c.record, uuid(2*i), uuid(2*i+1)) + "\n" }), exports.Options{})
		src.Format, src.Column, src.Only = "ndjson", c.column, []string{c.only}
		rows, _, err := readType(t, o, src, usher.IDFA, 0)
		var want []string
		for i := range 40 {
			want = append(want, map[byte]string{'+': uuid(i), '-': "*0"}[c.want[i%2]])
		}
		if err != nil || !slices.Equal(withheldRows(rows), want) {
			t.Errorf("%s: %.4q, %v, want %s", name, withheldRows(rows), err, c.want)
		}
	}
}
