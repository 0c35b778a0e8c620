package exports_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// uuid returns an IDFA of a number.
func uuid(n int) string { return fmt.Sprintf("%08X-A246-4BA4-AE5B-76104861E7DC", n) }

func lowerUUID(n int) string { return strings.ToLower(uuid(n)) }

func md5Of(n int) string { return fmt.Sprintf("%08xf2d1311ca5c1ecb214c19a26", n) }

// sparse returns n rows of a CSV or NDJSON export. Only those behind the first empty ones
// have an id.
func sparse(header string, n, empty int, row func(i int, id string) string) string {
	var b strings.Builder
	b.WriteString(header)
	for i := range n {
		id := ""
		if i >= empty {
			id = uuid(i)
		}
		b.WriteString(row(i, id))
	}
	return b.String()
}

// TestWhichColumn reads exports in which a name, and not the first values, says which
// column has the ids.
func TestWhichColumn(t *testing.T) {
	t.Parallel()
	type tracked struct {
		DeviceID string  `parquet:"device_id"`
		IDFA     *string `parquet:"idfa,optional"`
		Country  string  `parquet:"country"`
	}
	var devices []tracked
	for i := range 3000 {
		d := tracked{DeviceID: uuid(100_000 + i), Country: "DE"}
		if i >= 1000 {
			d.IDFA = new(uuid(i))
		}
		devices = append(devices, d)
	}
	event := func(path string) func(i int, id string) string {
		return func(i int, id string) string {
			vendor := uuid(500_000 + i)
			if id == "" {
				return fmt.Sprintf(`{"event":"open","device":{"vendor_id":%q},"anonymousId":%q,"context":{"device":{"id":%q}}}`+"\n", vendor, vendor, vendor)
			}
			if path == "ga4" {
				return fmt.Sprintf(`{"event":"open","device":{"vendor_id":%q,"advertising_id":%q}}`+"\n", vendor, id)
			}
			return fmt.Sprintf(`{"event":"open","anonymousId":%q,"context":{"device":{"id":%q,"advertisingId":%q}}}`+"\n", vendor, vendor, id)
		}
	}
	csv := sparse("device_id,idfa,country\n", 3000, 1000, func(i int, id string) string { return uuid(100_000+i) + "," + id + ",DE\n" })
	one := uuid(1)
	for _, c := range []struct {
		name, data string
		wanted     exports.Wanted
		column     string // the header or the path
	}{
		{"csv, empty at first", csv, exports.Wanted{Type: usher.IDFA}, "idfa"},
		{"csv, gzip", gzipped(t, csv), exports.Wanted{Type: usher.IDFA}, "idfa"},
		{"ndjson, empty at first", sparse("", 3000, 1000, func(i int, id string) string {
			return fmt.Sprintf(`{"device_id":%q,"idfa":%q}`+"\n", uuid(100_000+i), id)
		}), exports.Wanted{Type: usher.IDFA}, "idfa"},
		{"parquet, empty at first", parquetOf(t, devices, 500), exports.Wanted{Type: usher.IDFA}, "idfa"},
		{"ga4", sparse("", 3000, 300, event("ga4")), exports.Wanted{Type: usher.IDFA}, "device.advertising_id"},
		{"ga4, absent from the head", sparse("", 3000, 1500, event("ga4")), exports.Wanted{Type: usher.IDFA}, "device.advertising_id"},
		{"ga4, gzip", gzipped(t, sparse("", 30_000, 1500, event("ga4"))), exports.Wanted{Type: usher.IDFA}, "device.advertising_id"},
		{"ga4, zip", zipped(t, member{"a", sparse("", 30_000, 1500, event("ga4")), 8, 0}), exports.Wanted{Type: usher.IDFA}, "device.advertising_id"},
		{"ga4, an array on one line", "[" + strings.TrimSuffix(strings.ReplaceAll(sparse("", 3000, 1500, event("ga4")), "\n", ","), ",") + "]", exports.Wanted{Type: usher.IDFA}, "device.advertising_id"},
		{"ga4, an array over lines", "[\n" + strings.TrimSuffix(strings.ReplaceAll(strings.ReplaceAll(sparse("", 3000, 1500, event("ga4")), "\n", ",\n"), "{", "{\n  "), ",\n") + "\n]\n", exports.Wanted{Type: usher.IDFA}, "device.advertising_id"},
		{"ga4, utf-16", utf16le("\ufeff" + sparse("", 3000, 1500, event("ga4"))), exports.Wanted{Type: usher.IDFA}, "device.advertising_id"},
		{"segment", sparse("", 3000, 300, event("segment")), exports.Wanted{Type: usher.IDFA}, "context.device.advertisingId"},
		{"appsflyer, idfa", "AppsFlyer ID,Advertising ID,IDFA,Android ID,Customer User ID,IDFV\n1-2," + one + "," + one + ",," + one + "," + one + "\n", exports.Wanted{Type: usher.IDFA}, "IDFA"},
		{"appsflyer, aaid", "AppsFlyer ID,Advertising ID,IDFA,Android ID,Customer User ID,IDFV\n1-2,,,," + one + "," + one + "\n", exports.Wanted{Type: usher.AAID}, "Advertising ID"},
		{"appsflyer, android id", "AppsFlyer ID,Advertising ID,IDFA,Android ID,Customer User ID\n1-2," + one + ",,," + one + "\n", exports.Wanted{Type: usher.AndroidID}, "Android ID"},
		{"adjust, aaid", "adid,gps_adid,idfa,idfv,fire_adid\n" + md5Of(1) + "," + one + ",,,\n", exports.Wanted{Type: usher.AAID}, "gps_adid"},
		{"adjust, idfa", "adid,gps_adid,idfa,idfv\n" + md5Of(1) + ",,,," + one + "\n", exports.Wanted{Type: usher.IDFA}, "idfa"},
		{"kochava", "kochava_device_id,device_id_idfa,device_id_adid,device_id_android_id\nKA1,,," + md5Of(1)[:16] + "\n", exports.Wanted{Type: usher.AAID}, "device_id_adid"},
		{"branch", `{"user_data":{"idfa":"","idfv":"` + one + `","aaid":"` + one + `","android_id":"` + one + `"}}` + "\n", exports.Wanted{Type: usher.IDFA}, "user_data.idfa"},
		{"mparticle", `{"mpid":"17","device_info":{"ios_advertising_id":"` + one + `","ios_idfv":"` + one + `","android_advertising_id":null}}` + "\n", exports.Wanted{Type: usher.IDFA}, "device_info.ios_advertising_id"},
		{"singular", "device_id,device_id_type,idfa,idfv,aifa,custom_user_id\n" + one + ",idfa,,," + one + ",\n", exports.Wanted{Type: usher.AAID}, "aifa"},
		{"braze", "braze_id,external_id,google_ad_id,idfa\n" + one + "," + one + ",,\n", exports.Wanted{Type: usher.AAID}, "google_ad_id"},
		{"md5 beside raw", "idfa,idfa_md5\n" + one + "," + md5Of(1) + "\n", exports.Wanted{Type: usher.IDFA, Input: usher.InputMD5}, "idfa_md5"},
		{"raw beside md5", "idfa_md5,idfa\n" + md5Of(1) + "," + one + "\n", exports.Wanted{Type: usher.IDFA, Input: usher.InputRaw}, "idfa"},
		{"md5 alone", "lead_id,hashed_idfa\n17," + md5Of(1) + "\n", exports.Wanted{Type: usher.IDFA, Input: usher.InputMD5}, "hashed_idfa"},
		{"md5 under another's name", "customer_id,idfa\n17," + md5Of(1) + "\n", exports.Wanted{Type: usher.IDFA, Input: usher.InputMD5}, "idfa"},
		{"no type wanted", "device_id,idfa\n" + one + ",\n", exports.Wanted{}, "idfa"},
		{"advertising and device", "device_id,advertising_id\n" + one + "," + one + "\n", exports.Wanted{Type: usher.AAID}, "advertising_id"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, c.data, exports.Options{})
			plan, err := o.Plan(t.Context(), src, c.wanted, 0)
			if err != nil || plan.Header+plan.Path != c.column || plan.Why == "" {
				t.Errorf("column %q, because %q, want %q: %v", plan.Header+plan.Path, plan.Why, c.column, err)
			}
		})
	}
}

// TestOtherKind refuses exports whose only columns of ids are of another kind by their
// names, and reads them if the job names the column.
func TestOtherKind(t *testing.T) {
	t.Parallel()
	one := uuid(1)
	for _, c := range []struct {
		name, data string
		wanted     exports.Wanted
		column     string // that the job may name
		says       string // the error and its hint
	}{
		{"idfv", "idfv,country\n" + one + ",DE\n", exports.Wanted{Type: usher.IDFA}, "idfv", "1 (idfv)"},
		{"vendor_id of ga4", `{"device":{"vendor_id":"` + one + `"}}` + "\n", exports.Wanted{Type: usher.IDFA}, "device.vendor_id", "device.vendor_id"},
		{"anonymous id", `{"anonymousId":"` + one + `","messageId":"` + one + `"}` + "\n", exports.Wanted{Type: usher.IDFA}, "anonymousId", "anonymousId"},
		{"gaid under idfa", "n,gaid\n1," + one + "\n", exports.Wanted{Type: usher.IDFA}, "gaid", "profile to aaid"},
		{"idfa under aaid", "n,idfa\n1," + one + "\n", exports.Wanted{Type: usher.AAID}, "idfa", "profile to idfa"},
		{"a list of gaids under idfa", "gaid\n" + one + "\n", exports.Wanted{Type: usher.IDFA}, "gaid", "profile to aaid"},
		{"md5 under raw", "n,idfa_md5\n1," + md5Of(1) + "\n", exports.Wanted{Type: usher.IDFA}, "idfa_md5", "input to md5"},
		{"sha under md5", "n,idfa_sha256\n1," + md5Of(1) + md5Of(2) + "\n", exports.Wanted{Type: usher.IDFA, Input: usher.InputMD5}, "idfa_sha256", "SHA digests"},
		{"a customer's id alone", "customer_id\n4711\n4712\n", exports.Wanted{Type: usher.AndroidID}, "customer_id", "1 (customer_id)"},
		{"device_id beside idfa for aaid", "device_id,idfa\n" + one + ",\n", exports.Wanted{Type: usher.AAID}, "device_id", "one of: 1 (device_id), 2 (idfa)"},
		{"duplicate headers", "idfa,idfa\n" + one + ",\n", exports.Wanted{Type: usher.IDFA}, "1", "one of: 1 (idfa), 2 (idfa)"},
		{"two types, none wanted", "n,idfa,gaid\n1," + one + ",\n", exports.Wanted{}, "gaid", "name the profile, or set source.column to one of: 2 (idfa), 3 (gaid)"},
		{"ids on one line", one + "," + uuid(2) + "," + uuid(3) + "," + uuid(4) + "\n", exports.Wanted{Type: usher.IDFA}, "1", "one id a line"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, c.data, exports.Options{})
			_, err := o.Plan(t.Context(), src, c.wanted, 0)
			if class(err) != usher.SourceBroken || !strings.Contains(err.Error()+"\n"+permanent(t, err).Hint, c.says) {
				t.Fatalf("%v\nwant %s", err, c.says)
			}
			if text := err.Error() + permanent(t, err).Hint; strings.Contains(text, one) || strings.Contains(text, md5Of(1)) {
				t.Errorf("shows a value: %s", text)
			}
			src.Column = c.column
			plan, err := o.Plan(t.Context(), src, c.wanted, 0)
			if err != nil || plan.Why != "source.column names it" {
				t.Errorf("named: because %q, %v", plan.Why, err)
			}
		})
	}
}

// TestMixedColumn reads exports of several types, for which a column of types is named.
func TestMixedColumn(t *testing.T) {
	t.Parallel()
	one := uuid(1)
	for data, column := range map[string]string{
		"os,device_id,customer_id\nios," + one + ",17\n":      "device_id",
		"os,gaid\nios," + one + "\n":                          "gaid",
		"os,device_id,idfa\nandroid," + one + ",\n":           "idfa",
		"os,advertising_id,gaid\nandroid," + one + "," + "\n": "advertising_id",
	} {
		o, src := export(t, data, exports.Options{})
		src.TypeColumn = "os"
		plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0)
		if err != nil || plan.Header != column {
			t.Errorf("%q: column %q, %v", data, plan.Header, err)
		}
	}
}

// TestFolderByName reads folders whose files have their columns at different places, in
// parts of any size.
func TestFolderByName(t *testing.T) {
	t.Parallel()
	one, two, three := uuid(1), uuid(2), uuid(3)
	type file struct{ name, data string }
	for _, c := range []struct {
		name  string
		files []file
		src   usher.Source
		want  []string
		says  string // part of the error
	}{
		{"other places", []file{{"a.csv", "n,idfa\n1," + one + "\n"}, {"b.csv", "IDFA,x,n\n" + two + ",\"a,b\",2\n" + three + ",,3\n"}}, usher.Source{}, []string{one, two, three}, ""},
		{"types, too", []file{{"a.csv", "os,idfa\nios," + one + "\n"}, {"b.csv", "x,idfa,os\n," + two + ",ios\n"}}, usher.Source{TypeColumn: "os"}, []string{one, two}, ""},
		{"a column by its number", []file{{"a.csv", "n,key\n1," + one + "\n"}, {"b.csv", "m,key\n2," + two + "\n"}}, usher.Source{Column: "2"}, []string{one, two}, ""},
		{"another column at the number", []file{{"a.csv", "n,key\n1," + one + "\n"}, {"b.csv", "key,m\n" + two + ",2\n"}}, usher.Source{Column: "2"}, nil, "b.csv"},
		{"types by their number", []file{{"a.csv", "os,idfa\nios," + one + "\n"}, {"b.csv", "OS,idfa\nios," + two + "\n"}}, usher.Source{TypeColumn: "1"}, []string{one, two}, ""},
		{"other types at the number", []file{{"a.csv", "os,idfa\nios," + one + "\n"}, {"b.csv", "store,os,idfa\napple,android," + two + "\n"}}, usher.Source{TypeColumn: "1"}, nil, "b.csv"},
		{"types without a name", []file{{"a.csv", ",idfa\nios," + one + "\n"}, {"b.csv", ",idfa\nios," + two + "\n"}}, usher.Source{TypeColumn: "1"}, []string{one, two}, ""},
		{"ios and android", []file{{"android.csv", "id,gaid\n1," + two + "\n"}, {"ios.csv", "id,idfa\n1," + one + "\n"}}, usher.Source{Column: "idfa"}, nil, "android.csv"},
		{"no such column", []file{{"a.csv", "id,idfa\n1," + one + "\n"}, {"b.csv", "id,gaid\n1," + two + "\n"}}, usher.Source{}, nil, "b.csv"},
		{"another delimiter", []file{{"a.csv", "id,idfa\n1," + one + "\n"}, {"b.csv", "id;idfa\n1;" + two + "\n"}}, usher.Source{}, nil, `b.csv": it has no column idfa like the first file, whose delimiter is ",";`},
		{"a name twice", []file{{"a.csv", "id,idfa\n1," + one + "\n"}, {"b.csv", "idfa,idfa\n1," + two + "\n"}}, usher.Source{}, nil, "b.csv"},
		{"no header", []file{{"a.csv", "id,idfa\n1," + one + "\n"}, {"b.csv", "1," + two + "\n"}}, usher.Source{}, nil, "b.csv"},
		{"a header in the second", []file{{"a.csv", "1," + one + "\n"}, {"b.csv", "id,idfa\n1," + two + "\n"}}, usher.Source{}, nil, "b.csv"},
		{"no headers, other widths", []file{{"a.csv", "1," + one + "\n"}, {"b.csv", "1,x," + two + "\n"}}, usher.Source{}, nil, "b.csv"},
		{"no headers, another order", []file{{"a.csv", "1," + one + ",x\n"}, {"b.csv", two + ",1,x\n"}}, usher.Source{}, nil, "b.csv\": its device ids are in column 1, and those of the first file in column 2"},
		{"no headers, another order, no ids in the column", []file{{"a.csv", "1," + one + "\n"}, {"b.csv", two + ",\n"}}, usher.Source{}, nil, "b.csv"},
		{"no headers, another order, named", []file{{"a.csv", "1," + one + ",x\n"}, {"b.csv", two + ",1,x\n"}}, usher.Source{Column: "2"}, nil, "b.csv"},
		{"no headers, other ids, too", []file{{"a.csv", md5Of(1) + "," + one + "\n"}, {"b.csv", md5Of(2) + ",\n"}}, usher.Source{Column: "2"}, []string{one, ""}, ""},
		{"no headers, no ids", []file{{"a.csv", "1," + one + "\n"}, {"b.csv", "1,NULL\n"}}, usher.Source{}, []string{one, "NULL"}, ""},
		{"no headers, in both columns", []file{{"a.csv", "1," + one + "\n"}, {"b.csv", three + "," + two + "\n"}}, usher.Source{}, []string{one, two}, ""},
		{"no headers", []file{{"a.csv", "1," + one + "\n"}, {"b.csv", "1," + two + "\n"}}, usher.Source{}, []string{one, two}, ""},
		{"lists of different ids", []file{{"a.txt", "idfa\n" + one + "\n"}, {"b.txt", "gaid\n" + two + "\n"}}, usher.Source{}, nil, "b.txt"},
		{"a list of vendors' ids", []file{{"a.txt", one + "\n"}, {"b.txt", "idfv\n" + two + "\n"}}, usher.Source{}, nil, "b.txt"},
		{"ndjson without the path", []file{{"a.json", `{"idfa":"` + one + `"}` + "\n"}, {"b.json", `{"gaid":"` + two + `"}` + "\n"}}, usher.Source{}, nil, "b.json"},
		{"ndjson with nulls only", []file{{"a.json", `{"idfa":"` + one + `"}` + "\n"}, {"b.json", `{"idfa":null}` + "\n"}}, usher.Source{}, []string{one, ""}, ""},
	} {
		for _, partBytes := range []int64{0, 16} {
			t.Run(fmt.Sprint(c.name, " ", partBytes), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				for _, f := range c.files {
					data := f.data
					if partBytes > 0 && strings.HasSuffix(f.name, ".csv") { // the first part has headerBytes
						last := data[strings.LastIndexByte(strings.TrimSuffix(data, "\n"), '\n')+1:]
						data += strings.Repeat("\n", 5000) + last
					}
					must(t, os.WriteFile(dir+"/"+f.name, []byte(data), 0o600))
				}
				o := opener(t, dir, exports.Options{})
				src := c.src
				src.URL = dir + "/"
				got, _, err := read(t, o, &src, partBytes)
				if c.says != "" {
					if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), c.says) || permanent(t, err).Hint == "" {
						t.Fatalf("%q, %v", got, err)
					}
					return
				}
				slices.Sort(got)
				if got = slices.Compact(got); err != nil || !slices.Equal(got, sorted(c.want)) {
					t.Errorf("%q, %v, want %q", got, err, c.want)
				}
			})
		}
	}
}

func sorted(rows []string) []string {
	rows = slices.Clone(rows)
	slices.Sort(rows)
	return rows
}

// TestFolderRefusedEarly checks when a file without the column is found.
func TestFolderRefusedEarly(t *testing.T) {
	t.Parallel()
	for files, early := range map[int]bool{64: true, 65: true, 130: false} {
		dir := t.TempDir()
		for i := range files - 1 {
			must(t, os.WriteFile(fmt.Sprintf("%s/%03d.csv", dir, i), []byte("n,idfa\n1,"+uuid(i)+"\n"), 0o600))
		}
		must(t, os.WriteFile(dir+"/z.csv", []byte("n,gaid\n1,"+uuid(1)+"\n"), 0o600))
		o, src := opener(t, dir, exports.Options{}), &usher.Source{URL: dir + "/"}
		if _, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0); (err != nil) != early {
			t.Errorf("%d files: planned with %v", files, err)
		}
		if _, _, err := read(t, o, src, 0); class(err) != usher.SourceBroken || !strings.Contains(err.Error(), "z.csv") {
			t.Errorf("%d files: %v", files, err)
		}
	}
}

// TestEvidence checks the warnings of plans.
func TestEvidence(t *testing.T) {
	t.Parallel()
	type typed struct {
		OS string `parquet:"os,dict"`
		ID string `parquet:"device_id"`
	}
	var phones []typed
	rows := func(n int, row func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(row(i))
		}
		return b.String()
	}
	for i := range 100 {
		phones = append(phones, typed{[]string{"iOS", "Android 14"}[i%2], uuid(i)})
	}
	mixed := func(i int) string { return phones[i].ID + ",x," + phones[i].OS + "\n" }
	idfa, android := exports.Wanted{Type: usher.IDFA}, exports.Wanted{Type: usher.AndroidID}
	for _, c := range []struct {
		name, data string
		src        usher.Source
		wanted     exports.Wanted
		code       usher.WarningCode // "": no warning
		count      int64
		says       string
	}{
		{"types, csv", "device_id,x,os\n" + rows(100, mixed), usher.Source{}, idfa, "type_column", 50, "50 of 100 sampled rows with an id are of another type than idfa in column 3 (os): set source.typeColumn to os"},
		{"types, sorted", "device_id,os\n" + rows(6000, func(i int) string { return uuid(i) + "," + []string{"ios", "android"}[i/3000] + "\n" }), usher.Source{}, idfa, "type_column", 0, "set source.typeColumn to os"},
		{"types, named", "device_id,x,os\n" + rows(100, mixed), usher.Source{TypeColumn: "os"}, idfa, "", 0, ""},
		{"types, ndjson", rows(100, func(i int) string {
			return fmt.Sprintf(`{"device_id":%q,"device":{"operating_system":%q}}`+"\n", phones[i].ID, phones[i].OS)
		}), usher.Source{}, idfa, "type_column", 50, "set source.typeColumn to device.operating_system"},
		{"types, parquet", parquetOf(t, phones, 30), usher.Source{}, idfa, "type_column", 50, "set source.typeColumn to os"},
		{"types that fit", "device_id,os\n" + rows(100, func(i int) string { return lowerUUID(i) + ",android\n" }), usher.Source{}, exports.Wanted{Type: usher.AAID}, "", 0, ""},
		{"no ids in the other rows", "idfa,os\n" + rows(100, func(i int) string {
			if i%2 == 0 {
				return uuid(i) + ",ios\n"
			}
			return ",android\n"
		}), usher.Source{}, idfa, "", 0, ""},
		{"lower case", rows(100, func(i int) string { return lowerUUID(i) + "\n" }), usher.Source{}, idfa, "letter_case", 100, "set the profile to aaid"},
		{"lower case, few", rows(9, func(i int) string { return lowerUUID(i) + "\n" }), usher.Source{}, idfa, "letter_case", 9, ""},
		{"lower case, one", rows(1, func(i int) string { return lowerUUID(i) + "\n" }), usher.Source{}, idfa, "", 0, ""},
		{"both cases", rows(100, func(i int) string { return []string{uuid(i), lowerUUID(i)}[i%2] + "\n" }), usher.Source{}, idfa, "letter_case", 50, "write them to a separate export"},
		{"both cases, four in a hundred", rows(500, func(i int) string { return []string{lowerUUID(i), uuid(i)}[min(i%25, 1)] + "\n" }), usher.Source{}, idfa, "letter_case", 20, "write them to a separate export"},
		{"both cases, few", rows(200, func(i int) string { return []string{uuid(i), lowerUUID(i)}[i%23/22] + "\n" }), usher.Source{}, idfa, "letter_case", 8, ""},
		{"both cases, one", rows(50, func(i int) string { return []string{uuid(i), lowerUUID(i)}[i/49] + "\n" }), usher.Source{}, idfa, "", 0, ""},
		{"the other case behind", rows(3000, func(i int) string { return []string{uuid(i), lowerUUID(i)}[i/1500] + "\n" }), usher.Source{}, idfa, "letter_case", 0, "write them to a separate export"},
		{"upper case", "n,aaid\n" + rows(100, func(i int) string { return "1," + uuid(i) + "\n" }), usher.Source{}, exports.Wanted{Type: usher.AAID}, "letter_case", 100, "set the profile to idfa"},
		{"digests under raw", "n,idfa\n" + rows(100, func(i int) string { return "1," + md5Of(i) + "\n" }), usher.Source{}, idfa, "looks_hashed", 100, "set input to md5"},
		{"no hyphens under raw", "n,idfa\n" + rows(100, func(i int) string { return "1," + strings.ReplaceAll(uuid(i), "-", "") + "\n" }), usher.Source{}, idfa, "", 0, ""},
		{"customer numbers", "customer,country\n" + rows(100, func(i int) string { return fmt.Sprintf("%d,DE\n", 1001+i) }), usher.Source{Column: "customer"}, android, "unlikely_ids", 100, "100 of 100 sampled values of column 1 (customer) have at most 12 characters or no letters"},
		{"countries", "customer,country\n" + rows(20, func(i int) string { return fmt.Sprintf("%d,DE\n", 1001+i) }), usher.Source{Column: "country"}, android, "unlikely_ids", 20, "of column 2 (country)"},
		{"customer numbers, ndjson", rows(100, func(i int) string { return fmt.Sprintf(`{"user":{"id":%d}}`+"\n", 1001+i) }), usher.Source{Column: "user.id"}, android, "unlikely_ids", 100, "of column user.id"},
		{"customer numbers between ids", rows(200, func(i int) string {
			if i%20 == 0 {
				return "1001\n"
			}
			return androidID(i) + "\n"
		}), usher.Source{}, android, "unlikely_ids", 11, "11 of 200"},
		{"few of them", rows(200, func(i int) string {
			if i%40 == 0 {
				return "1001\n"
			}
			return androidID(i) + "\n"
		}), usher.Source{}, android, "unlikely_ids", 6, "remove these rows"},
		{"android ids", "n,android_id\n" + rows(100, func(i int) string { return "1," + androidID(i) + "\n" }), usher.Source{}, android, "", 0, ""},
		{"digests of android ids", "n,android_id\n" + rows(100, func(i int) string { return "1," + md5Of(i) + "\n" }), usher.Source{}, exports.Wanted{Type: usher.AndroidID, Input: usher.InputMD5}, "", 0, ""},
		{"ids under md5", "n,idfa\n" + rows(100, func(i int) string { return "1," + uuid(i) + "\n" }), usher.Source{}, exports.Wanted{Type: usher.IDFA, Input: usher.InputMD5}, "looks_raw", 100, "set input to raw"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, c.data, exports.Options{})
			c.src.URL = src.URL
			c.wanted.Removes = true // otherwise some are refused
			plan, err := o.Plan(t.Context(), &c.src, c.wanted, 0)
			must(t, err)
			if c.code == "" {
				if len(plan.Warnings) > 0 {
					t.Errorf("warns: %+v", plan.Warnings)
				}
				return
			}
			if len(plan.Warnings) != 1 || plan.Warnings[0].Code != c.code || c.count > 0 && plan.Warnings[0].Count != c.count || plan.Warnings[0].Count == 0 || !strings.Contains(plan.Warnings[0].Description, c.says) {
				t.Errorf("warns: %+v, want %s, %d, %s", plan.Warnings, c.code, c.count, c.says)
			}
		})
	}
}

// A line of ids that is longer than the head of the export ends within an id there.
func TestLongLineOfIDs(t *testing.T) {
	t.Parallel()
	o, src := export(t, rowsFrom(0, 2000, func(i int) string { return uuid(i) + "," })+id1+"\n", exports.Options{})
	if _, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0); class(err) != usher.SourceBroken || permanent(t, err).Hint != "write one id a line" {
		t.Errorf("planned with %v", err)
	}
}

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
		{"a column of types with a telling name", "device_id_type,device_id\nIDFA," + id1 + "\nGAID," + id3 + "\n", []string{id1, id3}, "device_id"},
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
		"two other words":      {"our idfa\n" + rowsFrom(1, 20, one), 0},
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
