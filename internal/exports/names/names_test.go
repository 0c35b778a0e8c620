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

// saying is what exports of a language have: names of columns of a category, and cells that say yes and no.
type saying struct {
	language, category string
	names              string
	yes, no            string // separated by spaces
}

// sayings are names and cells as shops, CRM systems and newsletters of these languages write them.
var sayings = []saying{
	{"English", names.SaysConsent, "consent marketing_consent opt_in email_opt_in is_subscribed accepts_marketing gdpr_consent_given tracking_allowed", "true 1 yes Y granted accepted", "false 0 no N denied declined"},
	{"English", names.SaysConsent, "consent_status email_consent_status subscription_status subscriber_status opt_in_status", "yes full subscribed active", "no unsubscribed inactive denied"},
	{"English", names.SaysOptOut, "opted_out opt_out_date unsubscribed_at is_deleted deleted_at do_not_track HasOptedOutOfEmail limit_ad_tracking", "true 1 yes 2026-11-01", "false 0 no"},
	{"English", names.SaysStatus, "status account_status", "active subscribed", "deleted unsubscribed cancelled inactive"},
	{"German", names.SaysConsent, "Einwilligung Einwilligungsstatus Zustimmungsstatus Werbeeinwilligung Einwilligung_Werbung Zustimmung Newsletter_abonniert Datenschutz_Einwilligung Werbung_erlaubt Tracking_Zustimmung hat_eingewilligt Einverständnis", "ja wahr 1 erteilt zugestimmt", "nein falsch 0 verweigert abgelehnt widerrufen"},
	{"German", names.SaysOptOut, "abgemeldet Abmeldedatum abgemeldet_am gelöscht gelöscht_am Löschdatum Widerspruch widerrufen_am gesperrt gekündigt Kündigungsdatum Werbewiderspruch", "ja wahr 1 01.11.2026", "nein falsch 0"},
	{"German", names.SaysStatus, "Status Kundenstatus Zustand", "aktiv angemeldet", "gelöscht abgemeldet gesperrt gekündigt inaktiv"},
	{"French", names.SaysConsent, "consentement consentement_marketing accord consentement_rgpd accepte_publicité abonné abonné_newsletter inscrit_newsletter optin_email autorisation", "oui vrai 1 accordé accepté", "non faux 0 refusé retiré"},
	{"French", names.SaysOptOut, "désinscrit désabonné date_désinscription date_de_désinscription date_de_désabonnement supprimé supprimé_le date_suppression opposition bloqué résilié", "oui vrai 1 01/11/2026", "non faux 0"},
	{"French", names.SaysStatus, "statut statut_client état", "actif abonné", "supprimé désinscrit désabonné inactif résilié"},
	{"Spanish", names.SaysConsent, "consentimiento consentimiento_marketing acepta_publicidad acepta_marketing autorización suscrito suscrito_newsletter acepta_comunicaciones", "sí si verdadero 1 aceptado concedido", "no falso 0 rechazado denegado"},
	{"Spanish", names.SaysOptOut, "baja fecha_baja fecha_de_baja dado_de_baja eliminado eliminado_el fecha_eliminación bloqueado oposición cancelado desuscrito", "sí 1 01/11/2026", "no 0"},
	{"Spanish", names.SaysStatus, "estado estado_cliente", "activo suscrito", "eliminado baja bloqueado inactivo cancelado"},
	{"Italian", names.SaysConsent, "consenso consenso_marketing consenso_privacy consenso_profilazione autorizzazione iscritto iscritto_newsletter accetta_marketing", "sì si vero 1 concesso accettato", "no falso 0 negato rifiutato revocato"},
	{"Italian", names.SaysOptOut, "disiscritto data_disiscrizione cancellato data_cancellazione eliminato bloccato opposizione revocato data_revoca", "sì 1 01/11/2026", "no 0"},
	{"Italian", names.SaysStatus, "stato stato_cliente", "attivo iscritto", "cancellato eliminato disiscritto inattivo bloccato"},
	{"Portuguese", names.SaysConsent, "consentimento consentimento_marketing aceita_marketing aceita_publicidade autorização inscrito inscrito_newsletter aceite_lgpd", "sim verdadeiro 1 aceito concedido", "não falso 0 recusado negado"},
	{"Portuguese", names.SaysOptOut, "descadastrado data_descadastro cancelado data_cancelamento excluído data_exclusão removido bloqueado oposição", "sim 1 01/11/2026", "não 0"},
	{"Portuguese", names.SaysStatus, "situação estado status_cliente", "ativo inscrito", "excluído descadastrado cancelado inativo removido bloqueado"},
	{"Dutch", names.SaysConsent, "toestemming toestemming_marketing marketing_toestemming akkoord akkoord_nieuwsbrief aangemeld ingeschreven nieuwsbrief", "ja waar 1 gegeven akkoord", "nee onwaar 0 geweigerd ingetrokken"},
	{"Dutch", names.SaysOptOut, "afgemeld afgemeld_op afmelddatum uitgeschreven uitgeschreven_op uitschrijfdatum verwijderd verwijderd_op geblokkeerd bezwaar opgezegd", "ja 1 01-11-2026", "nee 0"},
	{"Dutch", names.SaysStatus, "toestand klantstatus", "actief ingeschreven", "verwijderd uitgeschreven afgemeld geblokkeerd inactief opgezegd"},
	{"Polish", names.SaysConsent, "zgoda zgoda_marketingowa zgoda_na_marketing zgody_marketingowe zgoda_rodo zapisany newsletter_zgoda wyrażona_zgoda", "tak prawda 1 wyrażona udzielona", "nie fałsz 0 brak wycofana cofnięta odmowa"},
	{"Polish", names.SaysOptOut, "wypisany wypisany_dnia data_wypisania usunięty data_usunięcia czy_usunięty zablokowany sprzeciw rezygnacja", "tak 1 2026-11-01", "nie 0"},
	{"Polish", names.SaysStatus, "stan status_klienta", "aktywny zapisany", "usunięty wypisany zablokowany nieaktywny"},
	{"Turkish", names.SaysConsent, "onay izin rıza açık_rıza pazarlama_izni pazarlama_onayı kvkk_onayı ticari_ileti_izni email_izni abone rıza_durumu", "evet doğru 1 verildi", "hayır yanlış 0 reddedildi verilmedi"},
	{"Turkish", names.SaysOptOut, "silindi silinme_tarihi abonelik_iptali abonelik_iptal_tarihi engellendi itiraz iptal_edildi", "evet 1 01.11.2026", "hayır 0"},
	{"Turkish", names.SaysStatus, "durum müşteri_durumu", "aktif abone", "silindi iptal engelli pasif"},
	{"Japanese", names.SaysConsent, "doui doi dōi kyoka kyodaku haishin_kyoka haishin_kibou koukoku_doui", "hai 1 true kyoka doui", "iie 0 false kyohi"},
	{"Japanese", names.SaysOptOut, "taikai taikaibi taikai_bi sakujo sakujo_flag sakujobi haishin_teishi kaijo kaiyaku kaiyakubi kyohi", "hai 1 2026/11/01", "iie 0"},
	{"Japanese", names.SaysStatus, "jōtai joutai kaiin_status", "yuukou kaiin", "taikai sakujo kaiyaku teishi"},
}

// TestSayings checks that names of columns that say no are known in ten languages, with what their cells say.
func TestSayings(t *testing.T) {
	t.Parallel()
	for _, s := range sayings {
		yes, no := names.Yes, names.No
		if s.category == names.SaysOptOut {
			yes, no = no, yes
		}
		for name := range strings.FieldsSeq(s.names) {
			for _, name := range []string{name, strings.ToUpper(name), strings.ReplaceAll(name, "_", " ")} {
				if says := names.Says(name); says != s.category {
					t.Errorf("%s: %s says %q, want %s", s.language, name, says, s.category)
				}
			}
		}
		for want, cells := range map[names.Answer]string{yes: s.yes, no: s.no} {
			for cell := range strings.FieldsSeq(cells) {
				if answer := names.AnswerOf(s.category, []byte(cell)); answer != want {
					t.Errorf("%s, %s: %s is answer %d, want %d", s.language, s.category, cell, answer, want)
				}
			}
		}
	}
}

// TestStates checks what states of several words say.
func TestStates(t *testing.T) {
	t.Parallel()
	for want, list := range map[names.Answer]string{
		names.No: `Deleted by user,deleted (GDPR),DELETED_BY_USER,soft-deleted,pendingDeletion,Unsubscribed - Spam,do not contact,DNC,no consent,
			pending deletion,to be deleted,purged,opted out by phone,not active,no longer subscribed,consent not given,Gelöscht (DSGVO),
			Unsubscribed (no reason given),Deleted - not active,Opted out; no longer interested,Deceased - do not mail,Do Not Email,DO_NOT_CALL,please do not text,
			Lead - Unsubscribed,Unsubscribed from offer mails,Deleted - no orders,Deceased (lead),Lead - do not contact,inactive - never opened`,
		names.UnknownAnswer: `not deleted,never blocked,No opt-out,Closed Won,card blocked,order cancelled,in review,gold member,new lead,not yet a customer,
			double opt-in,2 items deleted,no answer,no,opted out: no,Unsubscribed? No,blocked no longer,deletion not requested,opt-out not recorded,
			cancelled (no payment),order not cancelled,booking cancelled - no show,lead rejected,closed - not interested,do not bend,card deleted - not valid`,
	} {
		for cell := range strings.SplitSeq(list, ",") {
			if answer := names.AnswerOf(names.SaysStatus, []byte(strings.TrimSpace(cell))); answer != want {
				t.Errorf("%s is answer %d, want %d", cell, answer, want)
			}
		}
	}
	for cell, want := range map[string]names.Answer{"not given": names.No, "declined by user": names.No, "email only": names.UnknownAnswer} {
		if answer := names.AnswerOf(names.SaysConsent, []byte(cell)); answer != want {
			t.Errorf("consent: %s is answer %d, want %d", cell, answer, want)
		}
	}
	for cell, want := range map[string]names.Answer{"deleted by user": names.No, "Allow": names.Yes, "Do Not Allow": names.No, "opt-out request denied": names.UnknownAnswer, "not deleted": names.UnknownAnswer} {
		if answer := names.AnswerOf(names.SaysOptOut, []byte(cell)); answer != want {
			t.Errorf("opt-out: %s is answer %d, want %d", cell, answer, want)
		}
	}
}

// TestOperations checks what the values of logs of changes say.
func TestOperations(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]names.Answer{
		"DELETE": names.No, "unsubscribe": names.No, "email_opt_out": names.No, "Unsubscribed from List": names.No, "consent_revoked": names.No, "do not contact": names.No,
		"INSERT": names.Yes, "opt_in": names.Yes, "Subscribe": names.Yes, "not unsubscribed": names.UnknownAnswer, "click": names.UnknownAnswer,
	} {
		if answer := names.AnswerOf(names.SaysOperation, []byte(cell)); answer != want {
			t.Errorf("%s is answer %d, want %d", cell, answer, want)
		}
	}
	for name := range strings.FieldsSeq("op METADATA$ACTION mutation_type event_type action last_event") {
		if says := names.Says(name); says != names.SaysOperation {
			t.Errorf("%s says %q", name, says)
		}
	}
}

// TestLongNames checks that a name takes no time for its number of words.
func TestLongNames(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"a ", "is ", "email_date_"} {
		for _, n := range []int{20, 100, 30_000} {
			if says := names.Says(strings.Repeat(word, n)); says != "" {
				t.Errorf("%d times %s says %s", n, word, says)
			}
		}
	}
}

// TestUnclearNames checks names with a negation or a word of refusal beside a word that says something.
func TestUnclearNames(t *testing.T) {
	t.Parallel()
	for want, list := range map[string]string{
		names.SaysUnclear: `no_consent without_consent consent_missing consent_refused consent_refused_at consent_denied consent_declined consent_expired
			consent_invalid consent_not_given notConsented noConsent non_consent nonconsent consentrefused not_subscribed not_opted_in not_opted_out
			personalized_ads_disabled personalization_off ad_personalization_off permission_denied permission_revoked permission_revoked_at
			marketing_permission_withdrawn newsletter_cancelled no_newsletter email_opt_in_declined optin_denied refuse_consent consent_withdrawal_date
			consent_opt_out marketing_consent_opt_out opted_out_of_personalization consent_deleted tracking_denied tracking_off no_marketing
			ohne_einwilligung keine_einwilligung einwilligung_widerrufen einwilligung_widerrufen_am einwilligung_fehlt einwilligung_abgelehnt
			Widerrufene_Einwilligung geen_reclame kein_newsletter sans_consentement refus_consentement consentement_retiré sin_consentimiento senza_consenso
			consenso_revocato geen_toestemming bez_zgody doui_kyohi
			not_deleted is_not_deleted isNotDeleted notdeleted not_blocked non_blocked not_unsubscribed never_unsubscribed not_suppressed no_optout
			nicht_gesperrt nicht_abgemeldet pas_désinscrit opt_out_revoked optout_expired opt_out.revoked consent_not_revoked
			not_given.consent.status consent_refused.state opt_out_revoked.status consent_state.ccpa.data_sale_opt_out.consented consent.denied consents.marketing.refused not_opted_in.consent`,
		names.SaysOptOut: `consent_withdrawn consent_withdrawn_at consent_revoked ads_blocked optin_revoked opt_in_withdrawn newsletter_opt_out newsletter_revoked
			revoked_at revoked_consent consent.revoked consents.marketing.deleted_at opt_outs.marketing unsubscribed.newsletter unsubscribed_from_newsletter
			account_revoked_reason do_not_contact opt_out.status opted_out.state deleted.status opt_out.action
			restricted_data_processing npa non_personalized_ads gpc donotbulkemail DoNotBulkEMail ShouldForget blackList blackListEmail lat.BOOL unsub unsub_date suppress
			do_not_target do_not_mail no_tracking tracking_disabled ad_tracking_disabled disable_ad_tracking marketing_disabled disable_tracking limit_ad_tracking_enabled
			Do_Not_Contact__c Do_Not_Sell__c Do_Not_Track__c DoNotCall ccpa_do_not_sell us_do_not_sell crm_do_not_contact do_not_contact_flg do_not_sell_or_share
			do_not_process do_not_mail_flg do_not_allow_bulk_emails forget_me spam_complaint marketing_suspended stop_marketing no_email
			legitimate_interest_objection objects_to_profiling objection_direct_marketing lista_robinson no_molestar optedoutofadvertising isunsubscribedfromads
			Werbeverbot Robinsonliste Keine_Werbung Nicht_kontaktieren Löschkennzeichen Sperrkennzeichen LOEVM
			ne_pas_contacter no_contactar não_contatar non_contattare Niet_benaderen`,
		names.SaysConsent: "consent_expires_at consent_valid_until consent_no before.consent " +
			"opt_ins optins optIns ad_personalisation interest_based_ads app_tracking_transparency mailable marketable ok_to_market can_be_marketed_to mktg_optin crm_optin tcf_purpose_4 consents.text " +
			"consent.status consent.state marketing_consent.status consents.marketing.status user.consent.state att.status newsletter.status consent.action consents.ads.op " +
			"privacy_info.ads_storage device.ext.atts ad_user_data_enabled OptInStatusID idfa_status",
		names.SaysStatus:    "account.status order.status user.state subscription.status email.status customer.account_status shipping.address.state",
		names.SaysOperation: "order.action payload.op source.op event.action",
		"": `non_brand no_of_orders last_login_failed off_peak order_cancelled is_not_active invalid_email card_declined payment_failed dns_failed lat_missing
			do_not_reply do_not_bend no_email_sent no_of_children off_season push_disabled
			tracking_no tracking_expired tracking_missing no_of_campaigns non_stop non_smoker notebook subscription_expired trial_expired not_null
			password_expired access_denied refused_delivery without_vat never_ordered red_wine`,
	} {
		for name := range strings.FieldsSeq(list) {
			for _, name := range []string{name, strings.ReplaceAll(name, "_", " ")} {
				if says := names.Says(name); says != want {
					t.Errorf("%s says %q, want %q", name, says, want)
				}
			}
		}
	}
}

// TestSaysNothing checks that names which only resemble those that say no say nothing.
func TestSaysNothing(t *testing.T) {
	t.Parallel()
	for name := range strings.FieldsSeq("country gaid city order_id created_at last_seen latitude amount_total color Anrede Bestellung ville commande ciudad pedido " +
		"deleted_orders last_order_deleted deleted_items card_blocked delivery_blocked blocked_minutes excluded_categories newsletter_id " +
		"consent_channel newsletter_language consent_lang consent_locale consent_version consent_source opt_in_source unsubscribe_url unsubscribe_link consent_text newsletter_clicks " +
		"newsletter_opens newsletter_count consents.marketing.source contact_owner contact_language order_status lead_status payment_status delivery_status status_code marketing_channel " +
		"città ordine cidade stad bestelling miasto zamówienie şehir sipariş jusho shimei checksum_ok tracking_id campaign email sms push_token client op_amount") {
		if says := names.Says(name); says != "" {
			t.Errorf("%s says %s", name, says)
		}
	}
}

// TestTimes checks the dates and times that programs write, and what only resembles them, in upper and lower case.
func TestTimes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"2026-01-01T10:00:00Z": true, "2026-01-01 10:00:00 UTC": true, "2026-01-01 10:00:00.123456 UTC": true,
		"2026-01-01 10:00:00.123456+00": true, "2026-01-01T10:00:00.000+0000": true, "01/01/2026 10:00:00 AM": true,
		"01-JAN-26": true, "01-JAN-26 10.00.00.000000 AM": true, "01JAN2026:10:00:00": true, "1/2/26": true,
		"2026-01-01 10:00:00.123456789 +0000 UTC m=+0.012345678": true, "2026-01-01 10:00:00 +0000 UTC": true,
		"Thu, 01 Jan 2026 10:00:00 +0000": true, "Thu Jan 01 2026 10:00:00 GMT+0000 (Coordinated Universal Time)": true,
		"January 01, 2026": true, "1. März 2026": true, "2026年01月01日": true, "20260101": true, "1767261600": true, "48,137154": false, "-0,127600": false, "48.137154": false, //nolint:gosmopolitan // as Japanese programs write dates
		"52.520008": false, "-13.404954": false, "123456": false, "46023": false, "1.2.3": false, "": false, "sun": false,
		"may": false, "agent7@x.de": false, "mon 17": false, "soon": false, "1/2": false,
	} {
		for _, text := range []string{text, strings.ToLower(text), strings.ToUpper(text)} {
			if is := names.IsTime(text); is != want && !strings.Contains(text, " M=") {
				t.Errorf("%q is a time: %v, want %v", text, is, want)
			}
		}
	}
	for name, want := range map[string]bool{
		"deleted_at": true, "deletedAt": true, "unsubscribed_date": true, "abgemeldet_am": true, "Löschdatum": true, "opt_out_ts": true,
		"fecha_baja": true, "deleted": false, "lat": false, "opted_out_by": false, "deleted_at_source": false,
	} {
		if is := names.IsOfTimes(names.SaysOptOut, name); is != want {
			t.Errorf("%s is of times: %v, want %v", name, is, want)
		}
	}
}
