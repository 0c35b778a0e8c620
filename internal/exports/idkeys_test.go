package exports_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/twmb/avro"
	"github.com/twmb/avro/ocf"

	"usher"
	"usher/hashing"
	"usher/internal/exports"
)

// keyID is a key of objects that is an id.
const keyID = "AEBE52E7-03EE-455A-B3C4-E57283966239"

// mapsOf writes Avro records of an id and a map, which has each a key and a value; "" stands for null and for an empty map.
func mapsOf(t *testing.T, n int, row func(i int) (id, key, value string)) string {
	t.Helper()
	schema, err := avro.Parse(`{"type":"record","name":"r","fields":[{"name":"idfa","type":["null","string"]},{"name":"links","type":{"type":"map","values":"string"}}]}`)
	must(t, err)
	var out bytes.Buffer
	w, err := ocf.NewWriter(&out, schema, ocf.WithBlockBytes(4<<10))
	must(t, err)
	for i := range n {
		id, key, value := row(i)
		record := map[string]any{"idfa": any(id), "links": map[string]any{}}
		if id == "" {
			record["idfa"] = nil
		}
		if key != "" {
			record["links"] = map[string]any{key: value}
		}
		must(t, w.Encode(record))
	}
	must(t, w.Close())
	return out.String()
}

// Keys that are ids are neither stored in a plan nor shown in an error.
func TestKeysThatAreIDs(t *testing.T) {
	t.Parallel()
	lines := func(n int, more string) string {
		return rowsFrom(0, n, func(i int) string {
			return fmt.Sprintf(`{"idfa":%q,%s}`+"\n", uuid(i), strings.ReplaceAll(more, "ID", uuid(100_000+i)))
		})
	}
	late := func(record string) string {
		return lines(manyRows, `"note":"`+strings.Repeat("x", 60)+`"`) + rowsFrom(0, 40, func(i int) string {
			return strings.ReplaceAll(record, "ID", uuid(100_000+i)) + "\n"
		}) + lines(1500, `"note":"x"`)
	}
	for name, c := range map[string]struct {
		data    string
		refusal string // "": it is read
	}{
		"a flag":         {lines(60, `"consents":{"`+keyID+`":true}`), ""},
		"a link":         {lines(60, `"links":{"`+keyID+`":"ID"}`), ""},
		"a system":       {lines(60, `"systems":{"`+keyID+`":"Android"}`), ""},
		"a status":       {lines(60, `"`+keyID+`":{"status":"deleted"}`), ""},
		"links later on": {lines(lateRows, `"links":{"`+keyID+`":"ID"},"note":"`+strings.Repeat("x", 60)+`"`) + strings.Repeat(`{"links":{"`+strings.ReplaceAll(keyID, "AEBE", "BEBE")+`":"`+uuid(1)+`"}}`+"\n", 40), ""},
		"moved ids":      {late(`{"links":{"` + keyID + `":"ID"}}`), "is in the field links.AEBE****-6239"},
		"null for ids":   {late(`{"idfa":null,"links":{"` + keyID + `":"ID"}}`), "in the field idfa have one in the field links.AEBE****-6239"},
		"null in samples": {mapsOf(t, 60, func(i int) (id, key, value string) {
			if i > 20 {
				return "", keyID, uuid(100_000 + i)
			}
			return uuid(i), "", ""
		}), "has no ids in rows that have some in column links.*"},
		"null for ids in Avro": {mapsOf(t, manyRows, func(i int) (id, key, value string) {
			if at := i - manyRows + 2500; at > 0 && at < 40 {
				return "", keyID, uuid(100_000 + i)
			}
			return uuid(i), "", ""
		}), "in the field idfa have one in the field links.AEBE****-6239"},
	} {
		o, src := export(t, c.data, exports.Options{})
		rows, plan, err := readType(t, o, src, usher.IDFA, 0)
		switch {
		case c.refusal == "" && (err != nil || len(rows) == 0):
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		case c.refusal != "" && (class(err) != usher.SourceBroken || !strings.Contains(err.Error(), c.refusal)):
			t.Errorf("%s: %d rows, %v, want %s", name, len(rows), err, c.refusal)
		}
		stored, jsonErr := json.Marshal(plan)
		must(t, jsonErr)
		if text := fmt.Sprint(string(stored), err); strings.Contains(text, keyID) || hashing.MaskIDs(text) != text {
			t.Errorf("%s: it is stored or shown: %s", name, text)
		}
	}
}

// A column whose name has an id in it can be named by its number, and the plan masks its name.
func TestColumnsNamedByIDs(t *testing.T) {
	t.Parallel()
	type row struct {
		IDFA string `parquet:"idfa"`
		Flag string `parquet:"flag_AEBE52E7-03EE-455A-B3C4-E57283966239"`
		N    string `parquet:"n"`
	}
	var rows []row
	text := "idfa,flag_" + keyID + ",n\n"
	for i := range 40 {
		r := row{uuid(i), []string{"ja", "nein"}[i%4/3], "x"}
		rows, text = append(rows, r), text+r.IDFA+","+r.Flag+",x\n"
	}
	for format, data := range map[string]string{"csv": text, "parquet": parquetOf(t, rows, 40)} {
		o, src := export(t, data, exports.Options{})
		src.Only = []string{"2=ja"}
		got, plan, err := readType(t, o, src, usher.IDFA, 0)
		if taken := len(uuidsOf(withheldRows(got))); err != nil || taken != 30 {
			t.Errorf("%s: %d of %d rows, %v", format, taken, len(got), err)
		}
		stored, err := json.Marshal(plan)
		must(t, err)
		if text := string(stored); strings.Contains(text, keyID) || !strings.Contains(text, "flag_AEBE****-6239") {
			t.Errorf("%s: it is stored: %s", format, text)
		}
	}
}
