package exports_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// Columns that blanks separate are not lists of ids if the header names them.
func TestColumnsOfBlanks(t *testing.T) {
	t.Parallel()
	two := func(i int) string { return uuid(i) + "  " + uuid(1000+i) + "\n" }
	one := func(i int) string { return uuid(i) + "\n" }
	for name, c := range map[string]struct {
		data string
		want int // rows; 0: refused
	}{
		"two columns":          {"idfv  idfa\n" + rowsFrom(1, 20, two), 0},
		"two, the other way":   {"user_id idfa\n" + rowsFrom(1, 20, two), 0},
		"in parentheses":       {"(idfv,idfa)\n" + rowsFrom(1, 20, two), 0},
		"lists without header": {rowsFrom(1, 20, two), 0},
		"lists under a name":   {"idfa\n" + rowsFrom(1, 20, two), 40},
		"two words":            {"device id\n" + rowsFrom(1, 20, one), 20},
		"two other words":      {"our idfa\n" + rowsFrom(1, 20, one), 20},
	} {
		o, src := export(t, c.data, exports.Options{})
		rows, _, err := readType(t, o, src, usher.IDFA, 0)
		if c.want == 0 && class(err) != usher.SourceBroken || c.want > 0 && (err != nil || len(rows) != c.want) {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
	}
	o, src := export(t, "idfv idfa\n"+rowsFrom(1, 20, two), exports.Options{})
	src.Delimiter, src.Column = " ", "idfa"
	data := strings.ReplaceAll("idfv idfa\n"+rowsFrom(1, 20, two), "  ", " ")
	must(t, os.WriteFile(strings.TrimPrefix(src.URL, "file://"), []byte(data), 0o600))
	if rows, _, err := readType(t, o, src, usher.IDFA, 0); err != nil || len(rows) != 20 || rows[0] != uuid(1001) {
		t.Errorf("as the hint says: %d rows, %v", len(rows), err)
	}
}

// A list whose header says other ids than that of the first file is refused.
func TestListsOfOtherIDs(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]bool{
		"idfa": true, "IDFA": true, "device_id": true, "advertising_id": true,
		"uuid": false, "id": false, "customer_id": false, "gaid": false, "idfv": false,
	} {
		dir := t.TempDir()
		must(t, os.WriteFile(dir+"/a.txt", []byte("idfa\n"+id1+"\n"), 0o600))
		must(t, os.WriteFile(dir+"/b.txt", []byte(header+"\n"+id2+"\n"), 0o600))
		o, src := opener(t, dir, exports.Options{}), &usher.Source{URL: dir + "/"}
		if _, _, err := readType(t, o, src, usher.IDFA, 0); want != (err == nil) || !want && class(err) != usher.SourceBroken {
			t.Errorf("%s: %v", header, err)
		}
	}
}

// A header that is shorter than the rows is not to be skipped as if it were a title.
func TestShortHeader(t *testing.T) {
	t.Parallel()
	o, src := export(t, "user_id,idfa\n"+rowsFrom(1, 20, func(i int) string { return fmt.Sprintf("%d,%s,%s\n", i, uuid(1000+i), uuid(i)) }), exports.Options{})
	_, _, err := readType(t, o, src, usher.IDFA, 0)
	if class(err) != usher.SourceBroken || !strings.Contains(permanent(t, err).Hint, "have the header name each column") {
		t.Errorf("read with %v", err)
	}
}
