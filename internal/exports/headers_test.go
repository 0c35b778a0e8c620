package exports_test

import (
	"fmt"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

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
