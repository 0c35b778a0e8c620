package exports_test

import (
	"slices"
	"testing"

	"usher"
	"usher/internal/exports"
)

// TestColumn reads exports in which something looks like the column of ids, or like a
// header, but is not.
func TestColumn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		data   string
		want   []string
		header string
	}{
		{"short android ids", "deadbeef\nabc\n1\n0a\n", []string{"deadbeef", "abc", "1", "0a"}, ""},
		{"an android id of one digit first", "1\nabc\ndeadbeef\n", []string{"1", "abc", "deadbeef"}, ""},
		{"short android ids with a header", "android_id;n\n1;2\nabc;3\n", []string{"1", "abc"}, "android_id"},
		{"the first row has no id, and a type", "IDFA,\nGAID," + id3 + "\nIDFA," + id1 + "\n", []string{"", id3, id1}, ""},
		{"the first row has no id, and a weak name", ",device\n" + id1 + ",device\n" + id2 + ",tablet\n", []string{"", id1, id2}, ""},
		{"a header that is repeated", "n,idfa\n1," + id1 + "\nn,idfa\n2," + id2 + "\n", []string{id1, "idfa", id2}, "idfa"},
		{"a column of types with a telling name", "device_id_type,value\nIDFA," + id1 + "\nGAID," + id3 + "\n", []string{id1, id3}, "value"},
		{"a telling name over no value yet", "crm_device_id,x\n," + id1 + "\n," + id3 + "\n", []string{"", ""}, "crm_device_id"},
		{"a customer's number of 16 digits", "1234567890123456," + id1 + "\n1234567890123457," + id2 + "\n", []string{id1, id2}, ""},
		{"trailing tabs", "idfa\t\t\n" + id1 + "\t\t\n" + id2 + "\t\t\n", []string{id1, id2}, "idfa"},
		{"upper-case digests", "F2D1311CA5C1ECB214C19A26E9DDBAD0\n", []string{"F2D1311CA5C1ECB214C19A26E9DDBAD0"}, ""},
		{"BOM, quoted sep=, CRLF", "\ufeff\"sep=;\"\r\nKunde;idfa\r\n1;" + id1 + "\r\n", []string{id1}, "idfa"},
		{"one row", "C-1," + id1, []string{id1}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, c.data, exports.Options{})
			rows, plan, err := read(t, o, src, 0)
			if err != nil || !slices.Equal(rows, c.want) || plan.Header != c.header {
				t.Errorf("rows %q, header %q, %v\nwant %q, %q", rows, plan.Header, err, c.want, c.header)
			}
		})
	}
}

// TestColumnAmbiguous checks that ambiguous exports are refused.
func TestColumnAmbiguous(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{
		"short android ids, no header": "deadbeef,1\nabc,2\n",
		"sessions beside ids":          id2 + "," + id1 + "\n",
		"two usual names, both filled": "idfa,gaid\n" + id1 + ",\n," + id3 + "\n",
		"a name twice":                 "idfa,idfa\n" + id1 + "," + id2 + "\n",
		"a header between lone CRs":    "idfa\r" + id1 + "\r" + id2 + "\r\n",
	} {
		o, src := export(t, data, exports.Options{})
		if _, err := o.Plan(t.Context(), src, exports.Wanted{}, 0); class(err) != usher.SourceBroken || permanent(t, err).Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
