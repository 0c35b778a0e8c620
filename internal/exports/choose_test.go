package exports

import (
	"math/rand/v2"
	"strings"
	"testing"

	"usher"
)

// TestChooseProperties checks choose with random columns: it never takes a column of
// another kind of id, and the order of the columns does not matter.
func TestChooseProperties(t *testing.T) {
	t.Parallel()
	known := strings.Fields("id uuid value deviceid mobiledeviceid geraeteid maid ifa advertisingid adid werbeid idfa iosid appleifa gaid " +
		"gpsadid googleaid androidid ssaid idfv vendorid oaid fireadid imei userid customerid anonymousid appsflyerid kochavadeviceid")
	r := rand.New(rand.NewPCG(14, 2))
	for range 50_000 {
		columns := randomColumns(r, known)
		s := search{Wanted: Wanted{
			[]usher.IDType{"", usher.IDFA, usher.AAID, usher.AndroidID}[r.IntN(4)],
			[]usher.Input{"", usher.InputRaw, usher.InputMD5, usher.InputAuto}[r.IntN(4)],
		}, mixed: r.IntN(4) == 0}
		c := choose(columns, s)
		if c.at >= 0 && s.rank(c.meanings[c.at]) < 0 && (c.meanings[c.at].Whole || columns[c.at].filled == 0 || columns[c.at].ids > 0) {
			t.Fatalf("%+v of %+v: took %q", s, columns, columns[c.at].name)
		}
		if c.at >= 0 && c.why == "" {
			t.Fatalf("%+v of %+v: no reason", s, columns)
		}
		name, chosen := "", c.at >= 0
		if chosen {
			name = columns[c.at].name
		}
		r.Shuffle(len(columns), func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })
		again := choose(columns, s)
		if again.at >= 0 != chosen || chosen && columns[again.at].name != name {
			t.Fatalf("%+v of %+v: %q, and in another order %d", s, columns, name, again.at)
		}
	}
}

func randomColumns(r *rand.Rand, known []string) []column {
	columns := make([]column, 1+r.IntN(5))
	for i := range columns {
		c := &columns[i]
		switch c.name = known[r.IntN(len(known))]; r.IntN(8) {
		case 0:
			c.name = ""
		case 1:
			c.name = "country"
		case 2:
			c.name = "crm_" + c.name
		case 3:
			c.name += "_md5"
		case 4:
			c.name += "_sha1"
		case 5:
			c.name += "_type"
		}
		c.number, c.filled = i+1, r.IntN(3)*5
		if c.filled > 0 {
			c.ids = r.IntN(2) * r.IntN(c.filled+1)
		}
	}
	return columns
}
