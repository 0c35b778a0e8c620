package names_test

import (
	"strings"
	"testing"

	"usher/internal/exports/names"
)

// TestMeaning checks what names of columns say.
func TestMeaning(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sense  names.Sense
		digest names.Digest
		names  string
	}{
		{names.SenseIDFA, names.DigestNone, "IDFA IDFAs idfa_1 user_data.idfa user_data_idfa device_info.ios_advertising_id iOSAdvertisingId apple-ad-id myidfa idfa_raw"},
		{names.SenseAAID, names.DigestNone, "gaid gps_adid aifa user_data_aaid google_ad_id android_advertising_id Google-Werbe-ID user.gaid"},
		{names.SenseAndroidID, names.DigestNone, "Android_ID android_device_id user_data.android_id android_uuid andi"},
		{names.SenseAdvertising, names.DigestNone, "maid context.device.advertisingId device.advertising_id ifa madids Werbe-ID advertiserId context_device_advertising_id"},
		{names.SenseDevice, names.DigestNone, "device_id Geräte-ID Gera\u0308te_ID deviceId mobile_device_id device.id"},
		{names.SenseVendor, names.DigestNone, "idfv IDFV vendor_id device.vendor_id oaid fire_adid context.device.id context_device_id user_data_idfv IMEI"},
		{names.SenseOther, names.DigestNone, "anonymousId anonymous_id customer_id user_id AppsFlyer_ID user_pseudo_id Kundennummer crm_user_id kochava_device_id messageId"},
		{names.SenseIDFA, names.DigestMD5, "idfa_md5 md5_idfa hashed_idfa idfaMD5 hashedidfa idfa_upper_md5 idfa_hash"},
		{names.SenseIDFA, names.DigestOther, "idfa_sha1 idfa_sha256 sha256_idfa"},
		{names.SenseAAID, names.DigestMD5, "gps_adid_lower_md5 gaid_md5"},
		{names.SenseHeader, names.DigestMD5, "md5 hash hashed_id hashid"},
		{names.SenseOther, names.DigestMD5, "email_md5 hashed_email"},
		{names.SenseHeader, names.DigestNone, "id uuid value"},
		{names.SenseNone, names.DigestNone, "device_id_type idfa_consent country os ${adid} {ifa} name lead order_count gaid_status"},
	} {
		for name := range strings.FieldsSeq(c.names) {
			if m := names.MeaningOf(name); m.Sense != c.sense || m.Digest != c.digest {
				t.Errorf("%s: %+v, want sense %d, digest %d", name, m, c.sense, c.digest)
			}
		}
	}
}

// Only a name of the table is known, alone, in a path, or behind user, device or primary.
func TestKnownNames(t *testing.T) {
	t.Parallel()
	known := `idfa IDFAs idfa_raw gaid GAID__c gps_adid user_gaid device_idfa primary_maid user.device.gaid event.idfa customer.device_id
		device.id context.device.advertisingId user_data_idfa device_id_idfa Google-Werbe-ID idfa_md5 hashed_gaid md5_idfa hashedidfa idfv user_id`
	for name := range strings.FieldsSeq(known) {
		if !names.MeaningOf(name).Known {
			t.Errorf("%s is not known", name)
		}
	}
	unknown := `gaid_old old_gaid previous.gaid before.gaid consent_uuid customer_uuid session_key crm_idfa myidfa idfa_2 device_gaid_old
		second_device_id row_md5 trace gaid_country test_idfa`
	for name := range strings.FieldsSeq(unknown) {
		if names.MeaningOf(name).Known {
			t.Errorf("%s is known", name)
		}
	}
}

// A name that says something else is not taken for that of a single names.
func TestSaysOther(t *testing.T) {
	t.Parallel()
	for name := range strings.FieldsSeq("customer_uuid session_key gaid_old consent_uuid idfv user_id idfa_consent meta.uuid payload.uuid row_md5 crm_key") {
		if !names.SaysOther(name) {
			t.Errorf("%s does not say so", name)
		}
	}
	for name := range strings.FieldsSeq("id uuid guid value x ids device data.ids results.uuid idfa device.id Liste") {
		if names.SaysOther(name) {
			t.Errorf("%s says something else", name)
		}
	}
}

func TestTypeNames(t *testing.T) {
	t.Parallel()
	for name := range strings.FieldsSeq("os OS_Name device.operating_system context.os.name platform Platform device_id_type Betriebssystem type") {
		if !names.IsTypeName(name) {
			t.Errorf("%s is not the name of a column of types", name)
		}
	}
	for name := range strings.FieldsSeq("id country idfa cost os_version") {
		if names.IsTypeName(name) {
			t.Errorf("%s is the name of a column of types", name)
		}
	}
}

// A name that is not UTF-8, as a Parquet column may have, has a meaning, too.
func TestNamesThatAreNotUTF8(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"\xff", "a\xff", "\xff\xff\xff", "idfa\xe8\x0b", "\xffidfa"} {
		names.MeaningOf(name)
		names.LastWord(name)
		names.IsTypeName(name)
	}
}
