package names

import (
	"slices"
	"strings"
	"sync"
)

// namedIDs are the columns of ids that exports are known to have. Only a column with such a name
// is chosen if there are several columns. A name that may also stand for something else, such as
// uuid, is in the first row. Names are written without separators and in lower case; Canonical
// returns them so.
var namedIDs = []struct {
	sense Sense
	names string
}{
	// Names of columns that do not say which ids they have.
	{SenseHeader, "id identifier uid uuid guid udid kennung device devices geraet geraete value"},

	// IAB Tech Lab, Guidelines for Identifier for Advertising (IFA, idtype rdid for apps); Google
	// Ad Manager, parameters rdid, idtype and is_lat; LiveRamp, "mobile ad ids (MAIDs)"; Apple,
	// ASIdentifierManager.advertisingIdentifier; Android, Settings.Secure.ANDROID_ID and
	// AdvertisingIdClient. German, French, Spanish, Italian, Portuguese, Dutch, Swedish and
	// Polish names are those of Google's page about the advertising ID in these languages.
	// https://iabtechlab.com/wp-content/uploads/2018/12/OTT-IFA-guidelines.final_Dec2018.pdf
	// https://support.google.com/admanager/answer/6238701
	// https://support.google.com/googleplay/android-developer/answer/6048248
	// https://developer.apple.com/documentation/adsupport/asidentifiermanager
	// https://developer.android.com/reference/android/provider/Settings.Secure#ANDROID_ID
	{SenseDevice, `deviceid deviceidentifier devicepublicid mobileid mobiledeviceid mobiledeviceidentifier
		geraeteid geraetid geraetekennung geraetekennungen mobilegeraeteid identifiantappareil idappareil identifiantdelappareil
		iddelappareil iddispositivo iddedispositivo iddeldispositivo iddodispositivo identificadordedispositivo apparaatid enhetsid
		idurzadzenia`},
	{SenseAdvertising, `maid madid ifa rdid advertisingid advertisingidentifier adidentifier adid deviceadid deviceadvertisingid
		mobileadid mobileadvertisingid mobileadvertisingidentifier identifierforadvertising identifierforadvertisers idforadvertisers
		werbeid werbekennung werbungsid mobilewerbeid geraetewerbeid identifiantpublicitaire idpublicitaire idpublicitario
		iddepublicidad identificadordepublicidad idpubblicitario iddepublicidade advertentieid annonsid reklamid`},
	{SenseIDFA, `idfa appleadid appleadvertisingid appleidfa appleifa iosid iosidfa iosadid iosadvertisingid iosifa idfaios
		applewerbeid ioswerbeid`},
	{SenseAAID, `gaid aaid googleadid googleadvertisingid googleaid googlegaid googleadvertiserid androidadid androidadvertisingid
		androidaaid androidgaid gaidandroid googlewerbeid androidwerbeid`},
	{SenseAndroidID, "androidid androiddeviceid ssaid"},
	{SenseVendor, "rida tifa afai msai vida dpid"}, // ifa_type of televisions and consoles, and of no known device
	{SenseOther, "ppid sspid"},
	{SenseVendor, "idfv vendorid identifierforvendor identifierforvendors iosidfv iosvendorid appleidfv imei macaddress"},
	{SenseOther, `userid customerid customernumber clientid contactid accountid memberid subscriberid personid profileid leadid crmid
		kundenid kundennummer kundennr nutzerid benutzerid visitorid cookieid sessionid installid installationid eventid messageid
		clickid impressionid transactionid orderid requestid anonymousid externalid email phone pushtoken registrationid appsetid`},

	// AppsFlyer, raw data field dictionary (IDFA, Advertising ID, Android ID, IDFV, OAID,
	// Amazon Fire ID, AppsFlyer ID, Customer User ID).
	// https://support.appsflyer.com/hc/en-us/articles/208387843
	{SenseVendor, "oaid amazonfireid amazonaid amazonadvertisingid"},
	{SenseOther, "appsflyerid customeruserid cuid"},
	// Adjust, device identifiers and placeholders; for adid, Adjust's own id, see Meanings.
	// https://help.adjust.com/en/article/device-identifiers
	{SenseAAID, "gpsadid"},
	{SenseVendor, "fireadid"},
	// Branch, advertising identifiers (user_data_idfa, user_data_aaid, user_data_idfv).
	// https://help.branch.io/using-branch/docs/advertising-identifiers-for-attribution
	{SenseIDFA, "userdataidfa"},
	{SenseAAID, "userdataaaid"},
	{SenseAndroidID, "userdataandroidid"},
	{SenseVendor, "userdataidfv"},
	{SenseOther, "developeridentity userdatadeveloperidentity browserfingerprintid"},
	// Kochava, query reference and device_ids of its API (idfa, adid, android_id).
	// https://support.kochava.com/advanced-tools/query-reference/
	{SenseIDFA, "deviceididfa"},
	{SenseAAID, "deviceidadid"},
	{SenseAndroidID, "deviceidandroidid"},
	{SenseOther, "kochavadeviceid kochavaid"},
	// Singular, user-level schemas (idfa, idfv, gaid, android_id, custom_user_id) and
	// server-to-server parameters (aifa, andi, asid, amid).
	// https://support.singular.net/hc/en-us/articles/360048784092
	{SenseAAID, "aifa"},
	{SenseAndroidID, "andi"},
	{SenseVendor, "amid asid"},
	{SenseOther, "customuserid singulardeviceid sdid"},
	// mParticle, device_info and device identities.
	// https://docs.mparticle.com/developers/apis/json-reference/
	{SenseAndroidID, "androiduuid"},
	{SenseVendor, "fireadvertisingid rokuadvertisingid rokupublisherid microsoftadvertisingid microsoftpublisherid"},
	{SenseOther, "mpid mpdeviceid deviceapplicationstamp"},
	// Segment, common fields: context.device.id is the IDFV on iOS. Warehouses join the names.
	// https://segment.com/docs/connections/spec/common/
	{SenseAdvertising, "contextdeviceadvertisingid"},
	{SenseVendor, "contextdeviceid"},
	// GA4 and Firebase, BigQuery export.
	// https://support.google.com/firebase/answer/7029846
	{SenseOther, "userpseudoid pseudouserid appinstanceid gaclientid gasessionid"},
	// Braze, user export and personalization (google_ad_id, braze_id, external_id).
	// https://www.braze.com/docs/api/endpoints/export/user_data/
	{SenseOther, "brazeid externaluserid"},
	// Salesforce, Engagement Mobile SDK and MobilePush (advertiserId, registrationId).
	// https://developer.salesforce.com/docs/data/data-cloud-ref/
	{SenseAdvertising, "advertiserid deviceadvertiserid"},
	{SenseOther, "contactkey subscriberkey individualid"},
}

// sensesByName is namedIDs by name.
var sensesByName = sync.OnceValue(func() map[string]Sense {
	senses := map[string]Sense{}
	for _, entry := range namedIDs {
		for name := range strings.FieldsSeq(entry.names) {
			senses[name] = entry.sense
		}
	}
	return senses
})

// typeNames are the names of columns of operating systems and of types of ids.
var typeNames = strings.Fields(`
	os osname ostype operatingsystem deviceos mobileos clientos platform plattform deviceplatform system betriebssystem
	type typ idtype keyvaluekey mapkey entrieskey namespace idnamespace idspace kind idkind identitytype identifiertypes deviceidtype deviceidstype advertisingidtype adidtype ifatype maidtype identifiertype devicetype kennungstyp
	geraetetyp
`)

// ownerWords are words of names of columns that have the ids of something other than a device:
// of whom or of what they are. A column whose name has one of them is never chosen without
// source.column, even if it is the only one. In a path, they may name the owner of a device.
var ownerWords = strings.Fields(`
	customer customers client clients contact contacts account accounts member members subscriber subscribers person people profile
	profiles lead leads household company partner employee owner user users visitor visitors guest buyer player
	session sessions visit order orders cart basket transaction transactions purchase payment invoice booking contract policy ticket
	trace span request response message event events click clicks impression impressions view conversion install installs campaign
	creative adgroup adset placement line row record batch job run file import export upload sync etag checksum
	meta metadata audit log product item sku store shop voucher coupon card loyalty parent child group segment tenant
	cookie cookies browser push token tokens fcm apns email mail phone ip app apps bundle publisher vendor
	external internal crm erp random salt secret key keys nonce
	kunde kunden kundin nutzer benutzer besucher konto kontakt mitglied sitzung bestellung auftrag vertrag rechnung anfrage nachricht
	ereignis klick zeile datei utilisateur abonne commande usuario cliente cuenta sesion pedido utente ordine sessione
	gebruiker klant bestelling sessie klient zamowienie sesja
`)

// contraryWords are words of names of columns and of segments of paths that have device ids which
// are not meant: those of another time, of people who said no, and of tests.
var contraryWords = strings.Fields(`
	old prev previous before former formerly original backup legacy deprecated obsolete outdated deleted removed
	consent consents consented tcf gpp optout optouts unsubscribed suppressed suppression excluded blocked denied revoked withdrawn
	expired test tests dummy sample fake
	einwilligung alt alte alter vorher vorherige geloescht abgemeldet gesperrt consentement ancien ancienne supprime
	consentimiento anterior consenso vecchio toestemming oude zgoda
`)

// IsTypeName reports whether the name or the path of a column is one of operating
// systems or of types of ids.
func IsTypeName(name string) bool {
	text, words := "", wordsOf(name)
	for _, w := range slices.Backward(words) {
		if text = w.text + text; slices.Contains(typeNames, text) {
			return true
		}
	}
	return false
}

// states are words for the state of a row, of an account or of a consent, as Canonical returns
// them. No column of ids has such a name, but a column of flags may.
var states = strings.Fields(`
	active inactive activated deactivated enabled disabled blocked locked deleted removed banned suspended paused archived
	expired cancelled canceled terminated closed pending confirmed unconfirmed verified unverified subscribed unsubscribed
	denied allowed permitted granted refused rejected accepted declined authorized authorised unauthorized unauthorised
	restricted unrestricted forbidden prohibited determined undetermined notdetermined revoked withdrawn optin optout optedin
	optedout missing absent unavailable notavailable unset notset empty blank hidden redacted anonymized anonymised masked
	withheld limited invalid error yes no true false
	aktiv inaktiv aktiviert deaktiviert gesperrt geloescht entfernt abgelaufen gekuendigt storniert beendet offen bestaetigt
	unbestaetigt abgemeldet angemeldet verweigert abgelehnt erlaubt zugestimmt widerrufen fehlt fehlend leer nichtvorhanden
	nichtverfuegbar keine keiner ungueltig ja nein
	actif inactif supprime bloque refuse manquant oui non activo inactivo eliminado bloqueado rechazado si
`)

// IsState reports whether a word is a state, in any case and with any punctuation.
func IsState(word string) bool { return slices.Contains(states, Canonical(word)) }
