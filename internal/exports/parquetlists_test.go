package exports_test

import (
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// A list of flags beside one of ids, each a repeated field of its own, is read if both have as many values in each
// record. Otherwise a flag would stand beside the id of another record.
func TestRepeatedFlags(t *testing.T) {
	t.Parallel()
	type repeated struct {
		IDFA     []string `parquet:"idfa"`
		OptedOut []bool   `parquet:"opted_out"`
		OS       []string `parquet:"os"`
		Tags     []string `parquet:"tags"`
	}
	type device struct {
		IDFA     string `parquet:"idfa"`
		OptedOut bool   `parquet:"opted_out"`
	}
	type grouped struct {
		Devices []device `parquet:"devices"`
	}
	type nested struct {
		Devices []repeated `parquet:"devices"`
	}
	type mapped struct {
		Consent map[string]bool `parquet:"consent_by_idfa"`
	}
	type listed struct {
		IDFA     []string `parquet:"idfa,list"`
		OptedOut []bool   `parquet:"opted_out,list"`
	}
	const n = 600 // of which the samples have 200
	lists, groups, nests, maps, three := make([]repeated, n), make([]grouped, n), make([]nested, n), make([]mapped, n), make([]listed, n)
	next := 0
	for i := range n {
		var ids []string
		for range i % 3 {
			next++
			ids = append(ids, uuid(next))
		}
		lists[i] = repeated{IDFA: ids, OptedOut: make([]bool, len(ids)), OS: slices.Repeat([]string{"ios"}, len(ids)), Tags: []string{"ios"}[:i%2]}
		three[i] = listed{ids, []bool{false, false, false}}
		maps[i].Consent = map[string]bool{}
		for _, id := range ids {
			groups[i].Devices = append(groups[i].Devices, device{IDFA: id})
			maps[i].Consent[id] = true
		}
		nests[i] = nested{[]repeated{lists[i], {}}}
	}
	// The totals stay equal: one flag stands in the record before, or in the group before.
	late, early, types := slices.Clone(lists), slices.Clone(lists), slices.Clone(lists)
	late[500].OptedOut, late[502].OptedOut = []bool{false, false, false}, []bool{false}
	early[1].OptedOut, early[2].OptedOut = []bool{false, false}, []bool{true}
	types[1].OS, types[2].OS = []string{"ios", "ios"}, []string{"android"}
	within := slices.Clone(nests)
	within[2].Devices = []repeated{{IDFA: []string{uuid(1), uuid(2)}, OptedOut: []bool{false}, OS: []string{"ios", "ios"}}, {IDFA: []string{uuid(3)}, OptedOut: []bool{true, true}, OS: []string{"ios"}}}
	totals := slices.Clone(lists)
	totals[301].OptedOut = append([]bool{true}, totals[301].OptedOut...)
	for name, c := range map[string]struct {
		data      string
		disregard []string
		typed     string
		says      string // "": it is read
	}{
		"of equal lengths":           {parquetOf(t, lists, n), []string{"tags"}, "", ""},
		"in one group":               {parquetOf(t, groups, n), nil, "", ""},
		"in a group within a group":  {parquetOf(t, nests, n), []string{"devices.tags"}, "", ""},
		"in a map":                   {parquetOf(t, maps, n), nil, "", ""},
		"of three levels":            {parquetOf(t, three, n), nil, "", ""},
		"behind the samples":         {parquetOf(t, late, n), []string{"tags"}, "", "its lists idfa and opted_out differ in length"},
		"in the samples":             {parquetOf(t, early, n), []string{"tags"}, "", "its lists idfa and opted_out differ in length"},
		"in totals":                  {parquetOf(t, totals, n), []string{"tags"}, "", "its lists idfa and opted_out differ in length"},
		"within a record":            {parquetOf(t, within, n), []string{"devices.tags"}, "", "its lists devices.idfa and devices.opted_out differ in length"},
		"disregarded":                {parquetOf(t, late, n), []string{"tags", "opted_out"}, "", ""},
		"totals, disregarded":        {parquetOf(t, totals, n), []string{"tags", "opted_out"}, "", ""},
		"of types":                   {parquetOf(t, types, n), []string{"tags"}, "", "its lists idfa and os differ in length"},
		"of types that are wanted":   {parquetOf(t, types, n), []string{"tags"}, "os", "its lists idfa and os differ in length"},
		"of tags that look as types": {parquetOf(t, lists, n), nil, "", "its lists idfa and tags differ in length"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, c.data, exports.Options{})
			src.Disregard, src.TypeColumn = c.disregard, c.typed
			if name == "in a map" {
				src.Column = "consent_by_idfa.key_value.key"
			}
			rows, plan, err := readType(t, o, src, usher.IDFA, 0)
			switch {
			case c.says == "" && (err != nil || len(uuidsOf(rows)) != next):
				t.Errorf("%d ids of %d, %v", len(uuidsOf(rows)), next, err)
			case c.says != "" && (class(err) != usher.SourceBroken || !strings.Contains(err.Error(), c.says)):
				t.Errorf("%d rows, %v", len(rows), err)
			case c.says != "" && !strings.Contains(permanent(t, err).Hint, " does not decide, add it to source.disregard"):
				t.Errorf("hint %s", permanent(t, err).Hint)
			}
			if c.says == "" && !slices.Contains([]string{"of three levels", "disregarded", "totals, disregarded"}, name) && len(plan.Checks) == 0 {
				t.Error("no flag is looked at")
			}
		})
	}
}

// A flag that stands deeper in the objects of a list than the id, or in a list around it, is read beside the id.
func TestFlagsAroundLists(t *testing.T) {
	t.Parallel()
	type privacy struct {
		OptedOut *bool `parquet:"opted_out,optional"`
	}
	type device struct {
		IDFA     string   `parquet:"idfa"`
		Privacy  *privacy `parquet:"privacy,optional"`
		Consents []bool   `parquet:"consents,list"`
	}
	type user struct {
		Devices []device `parquet:"devices,list"`
		Consent *bool    `parquet:"consent,optional"`
	}
	type household struct {
		Users   []user `parquet:"users,list"`
		Deleted bool   `parquet:"deleted"`
	}
	const n, at = 900, 700 // of which the samples have 200
	yes, no := true, false
	for name, c := range map[string]struct {
		change func(h *household)
		says   string // "": it is read
	}{
		"nobody":           {func(*household) {}, ""},
		"a device":         {func(h *household) { h.Users[1].Devices[1].Privacy = &privacy{&yes} }, "column 2 (users.list.element.devices.list.element.privacy.opted_out) says no, first in entry"},
		"its owner":        {func(h *household) { h.Users[2].Consent = &no }, "column 4 (users.list.element.consent) says no, first in entry"},
		"one without ids":  {func(h *household) { h.Users[0].Consent, h.Users[0].Devices = &no, nil }, ""},
		"no device at all": {func(h *household) { h.Users = nil }, ""},
		"the household":    {func(h *household) { h.Deleted = true }, "column 5 (deleted) says no, first in entry"},
	} {
		rows, ids := make([]household, n), 0
		for i := range rows {
			for j := range 3 {
				u := user{Consent: &yes}
				for range (i + j) % 3 {
					u.Devices = append(u.Devices, device{IDFA: uuid(ids), Consents: []bool{false, true}})
					ids++
				}
				rows[i].Users = append(rows[i].Users, u)
			}
		}
		for i := range rows[at].Users { // each of them has devices
			rows[at].Users[i].Devices = []device{{IDFA: uuid(ids + 2*i)}, {IDFA: uuid(ids + 2*i + 1)}}
		}
		c.change(&rows[at])
		o, src := export(t, parquetOf(t, rows, 300), exports.Options{})
		got, plan, err := readType(t, o, src, usher.IDFA, 0)
		if c.says == "" && (err != nil || len(uuidsOf(got)) < ids-6) || c.says != "" && (class(err) != usher.SourceBroken || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %d ids of %d, %v", name, len(uuidsOf(got)), ids, err)
		}
		if len(plan.Checks) != 4 || len(plan.Warnings) != 1 || !strings.Contains(plan.Warnings[0].Description, "consents), which are not read beside it") {
			t.Errorf("%s: %+v, %+v", name, plan.Checks, plan.Warnings)
		}
	}
}
