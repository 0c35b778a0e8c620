package exports_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// A header within an export without one is refused if its ids are of another kind.
func TestHeadersWithin(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]bool{
		"n,idfa,note": true, "n,device_id,note": true, `"n","IDFA","note"`: true,
		"n,idfv,note": false, `"n","anonymousId","note"`: false, "n,idfa_md5,note": false,
	} {
		o, src := export(t, strings.Repeat("1,"+id1+",x\n", 3)+header+"\n2,"+id2+",y\n", exports.Options{})
		if _, _, err := read(t, o, src, 0); want != (err == nil) || !want && class(err) != usher.SourceBroken {
			t.Errorf("%s: %v", header, err)
		}
	}
}

// Words that are no header are read below an unknown name, even its own.
func TestWordsBelowUnknownName(t *testing.T) {
	t.Parallel()
	data := "idfa,x,y\n" + strings.Repeat(id1+","+id2+",z\n x ,words,z\n", 20)
	o, src := export(t, data, exports.Options{})
	src.Column = "2"
	if rows, _, err := read(t, o, src, 0); err != nil || len(rows) != 40 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// Two exports that were put together are refused if their headers name other columns of
// ids, since the ids of the second may be of another kind.
func TestHeadersInTheMiddle(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		second string
		want   bool // it is read
	}{
		"the same":                        {"n,idfa,note", true},
		"the same in quotes":              {`"n","idfa","note"`, true},
		"another name of the same kind":   {"n,apple_idfa,note", true},
		"another kind, the rest as above": {"n,idfv,note", false},
		"ids of something else":           {"n,anonymousId,note", false},
		"another type":                    {"n,aaid,note", false},
		"digests":                         {"n,idfa_md5,note", false},
		"an unknown name":                 {"n,target,note", false},
		"all names are others":            {"kunde,gaid,notiz", false},
		"the columns in another order":    {"idfa,n,note", false},
		"no header":                       {"7,null,x", true},
		"no header, but a word":           {"7,unknown,x", true},
		"nothing but words":               {"Berlin,device,ios", true},
		"ids of some kind":                {"n,uuid,note", false},
		"ids of a database":               {"n,_id,note", false},
		"ids of a customer":               {"n,customer_uuid,note", false},
		"the same name, elsewhere":        {"idfa,target,notes", false},
	} {
		for _, rows := range []int{1, 5000} { // in the head, and far behind it
			t.Run(fmt.Sprintf("%s, %d", name, rows), func(t *testing.T) {
				t.Parallel()
				data := "n,idfa,note\n" + strings.Repeat("1,"+id1+",x\n", rows) + c.second + "\n2," + id2 + ",y\n"
				o, src := export(t, data, exports.Options{})
				_, _, err := read(t, o, src, 0)
				if c.want != (err == nil) || !c.want && class(err) != usher.SourceBroken {
					t.Errorf("%v", err)
				}
			})
		}
	}
}

// A list without a header and one whose header names ids of another type are no export of
// one type.
func TestListsOfOtherTypes(t *testing.T) {
	t.Parallel()
	for header, refused := range map[string]bool{"idfa": false, "device_id": false, "gaid": true, "android_id": true, "idfv": true, "id": true} {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte(id1+"\n"), 0o600))
		must(t, os.WriteFile(filepath.Join(dir, "b.txt"), []byte(header+"\n"+id2+"\n"), 0o600))
		_, err := opener(t, dir, exports.Options{}).Plan(t.Context(), &usher.Source{URL: dir + "/"}, exports.Wanted{Type: usher.IDFA}, 0)
		if refused != (class(err) == usher.SourceBroken) || !refused && err != nil {
			t.Errorf("%s: %v", header, err)
		}
	}
}
