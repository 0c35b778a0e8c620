package exports_test

import (
	"fmt"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// What an export does about a column.
const (
	refuses = "refuses"
	warns   = "warns"
	ignores = "ignores"
)

// crmColumns are columns as CRM systems, consent managers, warehouses and shops export them, with the two values
// that they have.
var crmColumns = []struct{ want, names, values string }{
	// The status of a consent.
	{refuses, "consent_status email_consent_status", "yes/no Y/N 1/0 true/false accepted/declined given/not_given yes/pending,no"},
	{refuses, "subscription_status opt_in_status newsletter_status", "yes/no Y/N 1/0 subscribed/unsubscribed"},
	{refuses, "opt_out_status optOutStatus", "no/yes 0/1 opted-in/opted-out"},
	{refuses, "Einwilligungsstatus Zustimmungsstatus", "ja/nein erteilt/widerrufen"},
	{refuses, "consent.status consents.marketing.state", "yes/no true/false given/NOTGIVEN accepted/declined"},
	{refuses, "opt_out.status", "no/yes false/true"},
	{ignores, "order.status account.status", "gold/silver 1/0 true/false"},
	{warns, "consent_status", "yes/pending full/none gold/silver"},
	{warns, "subscription_status", "subscribed/paused"},
	{ignores, "status", "gold/silver 1/0 yes/no"},

	// States of more than one word.
	{refuses, "status account_status", `active/Deleted_by_user active/deleted_(GDPR) active/DELETED_BY_USER active/soft-deleted active/Unsubscribed_-_Spam
		active/do_not_contact active/DNC active/no_consent active/pending_deletion active/to_be_deleted active/purged
		active/Unsubscribed_(no_reason_given) active/Deleted_-_not_active active/Lead_-_Unsubscribed active/Do_Not_Email active/Deceased_-_do_not_mail`},
	{ignores, "status", "active/not_deleted active/never_blocked active/gold_member new/in_review"},

	// Prefixes and suffixes.
	{refuses, `Do_Not_Contact__c Do_Not_Sell__c Do_Not_Track__c DoNotCall ccpa_do_not_sell us_do_not_sell crm_do_not_contact do_not_contact_flg
		do_not_sell_(Y/N) do_not_sell_or_share do_not_process do_not_mail_flg`, "0/1 false/true N/Y"},
	{refuses, "Do_not_allow_Bulk_Emails donotbulkemail do_not_allow_phone_calls", "Allow/Do_Not_Allow"},

	// Logs of changes.
	{refuses, "METADATA$ACTION mutation_type", "INSERT/DELETE"},
	{refuses, "event_type action last_event", "opt_in/opt_out subscribe/unsubscribe open/unsubscribe"},
	{ignores, "event_type action last_event", "install/click purchase/login"},

	// Names.
	{refuses, "opt_ins optins optIns ad_personalisation interest_based_ads mailable marketable ok_to_market can_be_marketed_to mktg_optin tcf_purpose_4", "1/0 true/false"},
	{refuses, "app_tracking_transparency", "authorized/denied"},
	{refuses, `legitimate_interest_objection objects_to_profiling objection_direct_marketing forget_me spam_complaint marketing_suspended stop_marketing
		no_email lista_robinson no_molestar optedoutofadvertising isunsubscribedfromads`, "0/1 false/true"},

	// What only looks like it.
	{ignores, "device_type", "phone/tablet phone/phone tablet/phone"},
	{ignores, `consent_channel newsletter_language consent_lang consent_locale consent_version consent_source opt_in_source unsubscribe_url unsubscribe_link
		consent_text newsletter_clicks newsletter_opens newsletter_count unsubscribe_clicks`, "store/no de/no 1/0 2/1"},
	{ignores, "deleted_orders last_order_deleted deleted_items card_blocked delivery_blocked blocked_minutes newsletter_id excluded_categories", "0/1 no/yes"},
	{refuses, "id_type", "idfa/phone"},
	{refuses, `opt_out_text opted_out_of_texts has_opted_out_of_text unsubscribed_from_all_channels opt_out_all_channels unsubscribed_via_link opted_out_via_text
		opt_out_status_id app_no_tracking ios_no_tracking no_contactar_por_sms no_molestar_telefono email_delivery_suppressed delivery_suppressed
		blocked_from_orders customer_blocked_for_orders gdpr_deletion_ticket account_deleted_days_ago`, "0/1"},
	{refuses, "opt_in_text subscribed_to_texts is_subscribed_text consents.texts consent_status_id consent_flag_id has_consent_id", "1/0"},
	{warns, "deleted_by_id deleted_by_user_id deletion_id gdpr_delete_request_id opt_out_request_id suppression_id", "/7731"},
	{ignores, "event_type last_event last_action", "view/remove add/delete view/unsubscribe_page_view shown/email_unsubscribe_link_shown"},
	{ignores, "status", `new/Return_rejected new/refund_denied new/booking_cancelled new/loan_rejected new/lead_rejected new/wishlist_removed new/declined_by_bank
		new/no_active_orders new/order_cancelled_-_no_payment new/cancelled_(no_payment) new/deletion_not_requested new/opted_out:_no`},
	{refuses, "do_not_text order_opt_out order_emails_unsubscribed deleted items.deleted", "0/1"},
	{ignores, "no_of_children push_disabled off_season", "0/1 no/yes"},
	{ignores, "lat", "52.52/48.13"},
	{ignores, "order_status", "shipped/returned"},
	{ignores, "lead_status", "new/working"},
	{ignores, "payment_status", "paid/declined"},
	{ignores, "contact_owner marketing_channel", "ann/bob"},
	{ignores, "contact_language", "de/no"},
	{ignores, "status_code", "200/404"},
	{ignores, "delivery_status", "delivered/bounced"},
}

// TestColumnsOfCRMs checks which columns refuse an export, which are warned of, and which say nothing.
func TestColumnsOfCRMs(t *testing.T) {
	t.Parallel()
	for _, c := range crmColumns {
		for name := range strings.FieldsSeq(c.names) {
			for pair := range strings.FieldsSeq(c.values) {
				name := strings.ReplaceAll(name, "_(", " (")
				if strings.HasPrefix(name, "Do_not_allow") {
					name = strings.ReplaceAll(name, "_", " ")
				}
				yes, no, _ := strings.Cut(pair, "/")
				if !strings.Contains(pair, "DELETED_BY") {
					yes, no = strings.ReplaceAll(yes, "_", " "), strings.ReplaceAll(no, "_", " ")
				}
				data := "n,idfa," + name + "\n"
				for i := range 40 {
					cells := append([]string{yes, yes, yes}, strings.Split(no, ",")...)
					data += fmt.Sprintf("%d,%s,%s\n", i, uuid(i), cells[i%len(cells)])
				}
				o, src := export(t, data, exports.Options{})
				plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0)
				got := ignores
				switch {
				case err != nil && class(err) == usher.SourceBroken:
					got = refuses
				case err != nil:
					t.Fatal(err)
				case len(plan.Warnings) > 0:
					got = warns
				}
				if got != c.want {
					t.Errorf("%s: %s %s, want %s", name, pair, got, c.want)
				}
			}
		}
	}
}

// TestNamesInBraces checks that a header of placeholders, as Adjust writes it, names columns like any other.
func TestNamesInBraces(t *testing.T) {
	t.Parallel()
	rows := func(status string) string {
		return rowsFrom(0, 40, func(i int) string {
			return fmt.Sprintf("%032x,%s,%s\n", i, []string{"authorized", status}[i%2], uuid(i))
		})
	}
	for header, named := range map[string]bool{"{adid},{att_status},{idfa}": true, `"{adid}","{att_status}","{idfa}"`: true, "{adid},denied,{idfa}": false} {
		o, src := export(t, header+"\n"+rows("denied"), exports.Options{})
		_, plan, err := readType(t, o, src, usher.IDFA, 0)
		if refused := class(err) == usher.SourceBroken && strings.Contains(err.Error(), "att_status"); refused != named {
			t.Errorf("%s: %+v, %v", header, plan, err)
		}
		if !named {
			continue
		}
		src.Only = []string{"att_status=authorized"}
		got, plan, err := readType(t, o, src, usher.IDFA, 0)
		if err != nil || plan.Header != "idfa" || len(got) != 40 || strings.Count(strings.Join(withheldRows(got), " "), "*") != 20 {
			t.Errorf("%s, only authorized: %q, %v", header, got, err)
		}
	}
	o, src := export(t, "{adid},{att_status},{idfa}\n"+rows("authorized"), exports.Options{})
	if got, plan, err := readType(t, o, src, usher.IDFA, 0); err != nil || plan.Header != "idfa" || len(got) != 40 {
		t.Errorf("%q, %v", got, err)
	}
}

// TestNestedStates checks that a status of a consent or of an opt-out, as an object has it, is read as the name that
// has both.
func TestNestedStates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ want, yes, no string }{
		{refuses, `"consent":{"status":true}`, `"consent":{"status":false}`},
		{refuses, `"consent":{"status":"NOTGIVEN"}`, `"consent":{"status":"0"}`},
		{refuses, `"consent":{"action":"grant"}`, `"consent":{"action":"delete"}`},
		{refuses, `"consent":{"action":"accepted"}`, `"consent":{"action":"denied"}`},
		{refuses, `"att":{"status":3}`, `"att":{"status":2}`},
		{refuses, `"opt_out":{"status":false}`, `"opt_out":{"status":true}`},
		{refuses, `"account":{"status":"active"}`, `"account":{"status":"deleted"}`},
		{refuses, `"deleted":{"status":"active"}`, `"deleted":{"status":"deleted"}`},
		{ignores, `"deleted":{"status":"active"}`, `"deleted":{"status":false}`},
		{ignores, `"account":{"status":"open"}`, `"account":{"status":1}`},
		{ignores, `"order":{"status":true}`, `"order":{"status":false}`},
		{ignores, `"consent":{"status":"given"}`, `"consent":{"status":"granted"}`},
	} {
		data := rowsFrom(0, 40, func(i int) string {
			return fmt.Sprintf(`{"idfa":%q,%s}`+"\n", uuid(i), []string{c.yes, c.no}[i%2])
		})
		o, src := export(t, data, exports.Options{})
		plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0)
		if refused := class(err) == usher.SourceBroken; refused != (c.want == refuses) || c.want == ignores && (err != nil || len(plan.Warnings) > 0) {
			t.Errorf("%s, %s: %v, want %s", c.yes, c.no, err, c.want)
		}
	}
}
