package choose

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
		s := Search{
			Type:  []usher.IDType{"", usher.IDFA, usher.AAID, usher.AndroidID}[r.IntN(4)],
			Input: []usher.Input{"", usher.InputRaw, usher.InputMD5, usher.InputAuto}[r.IntN(4)],
			Mixed: r.IntN(4) == 0,
		}
		c := s.Choose(columns)
		if c.At >= 0 && s.rank(c.meanings[c.At]) < 0 && (c.meanings[c.At].Known || columns[c.At].Filled == 0 || columns[c.At].IDs > 0) {
			t.Fatalf("%+v of %+v: took %q", s, columns, columns[c.At].Name)
		}
		if c.At >= 0 && c.Why == "" {
			t.Fatalf("%+v of %+v: no reason", s, columns)
		}
		name, chosen := "", c.At >= 0
		if chosen {
			name = columns[c.At].Name
		}
		r.Shuffle(len(columns), func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })
		again := s.Choose(columns)
		if again.At >= 0 != chosen || chosen && columns[again.At].Name != name {
			t.Fatalf("%+v of %+v: %q, and in another order %d", s, columns, name, again.At)
		}
	}
}

func randomColumns(r *rand.Rand, known []string) []Column {
	columns := make([]Column, 1+r.IntN(5))
	for i := range columns {
		c := &columns[i]
		switch c.Name = known[r.IntN(len(known))]; r.IntN(8) {
		case 0:
			c.Name = ""
		case 1:
			c.Name = "country"
		case 2:
			c.Name = "crm_" + c.Name
		case 3:
			c.Name += "_md5"
		case 4:
			c.Name += "_sha1"
		case 5:
			c.Name += "_type"
		}
		c.Number, c.Filled = i+1, r.IntN(3)*5
		if c.Filled > 0 {
			c.IDs = r.IntN(2) * r.IntN(c.Filled+1)
		}
	}
	return columns
}
