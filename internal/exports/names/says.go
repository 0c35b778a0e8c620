package names

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"usher"

	"usher/hashing"
	"usher/internal/exports/rows"
)

// The categories of columns that say whether a row may be uploaded. A plan names them in
// usher.ColumnCheck.Says.
const (
	SaysConsent   = "consent"   // a flag whose yes allows the upload
	SaysATT       = "att"       // the same as a number of Apple's ATTrackingManager.AuthorizationStatus
	SaysOptOut    = "optOut"    // a flag or a date whose yes, or whose presence, forbids it
	SaysStatus    = "status"    // the state of the row's customer or account
	SaysOperation = "operation" // a change of a row: the export is a log of changes
	SaysUSPrivacy = "usPrivacy" // the IAB's US privacy string, whose third character is the opt-out of sale
	SaysUnclear   = "unclear"   // a flag or a date of consents or opt-outs whose name does not show which answer allows the upload: not_deleted, consent_refused
)

// sayingNames are the names of columns that say no, by category, as Canonical returns them. Words
// such as is, has, flag and status around them do not change what they say. They are those of
// Apple's App Tracking Transparency (att_status), of the limit-ad-tracking flag in OpenRTB
// (device.lmt, lat, device.ext.atts), of Google's consent mode and GA4 (ad_user_data, ad_personalization, ad_storage, ads_storage), its npa, of the
// US privacy string, of ads that are not for children (OpenRTB regs.coppa, Google's tags), of change data capture (Debezium op, Fivetran _fivetran_deleted, Airbyte
// _ab_cdc_deleted_at), of Snowflake's streams (METADATA$ACTION), of Salesforce (HasOptedOutOfEmail, IsDeleted, ShouldForget, OptInStatusID), of Dynamics (donotbulkemail), of Adobe
// (blackList), of SAP (LOEVM), of the Global Privacy Control (gpc), and the usual words in
// English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Turkish, and Japanese in
// Latin script.
var sayingNames = map[string]string{
	SaysConsent: `
		consent consents consented consentgiven userconsent gdprconsent adconsent adsconsent marketingconsent trackingconsent dataconsent
		optin optedin optinstatus optinstatusid consentstatus subscriptionstatus subscriberstatus einwilligungsstatus zustimmungsstatus subscribed subscribe newsletter permission permissions marketingpermission adpermission
		att attauthorization attauthorizationstatus trackingauthorization trackingauthorizationstatus trackingallowed trackingenabled
		allowtracking allowstracking cantrack trackable adtracking adtrackingenabled advertisingtrackingenabled advertisertracking
		advertisertrackingenabled atts idfastatus aduserdata aduserdataenabled adpersonalization adpersonalizationenabled adstorage adsstorage adstorageenabled analyticsstorage personalization personalizedads personalisedads
		allowads allowmarketing marketingallowed marketingoptin adsoptin emailoptin pushoptin smsoptin contactable reachable
		maycontact maybecontacted oktocontact oktoemail oktomarket oktomail oktocall canbecontacted canbemarketed canbeemailed contactok contactallowed
		optins adpersonalisation adpersonalisationenabled interestbasedads interestbasedadvertising apptrackingtransparency
		mailable marketable tcfpurpose tcfpurposes
		einwilligung einwilligungen eingewilligt einverstaendnis einverstanden zustimmung zugestimmt werbeeinwilligung werbeerlaubnis werbezustimmung datenschutzeinwilligung einwilligungwerbung
		werbungerlaubt trackingerlaubt angemeldet abonniert
		consentement consentements accord autorisation optinmarketing abonne inscrit inscription
		consentimiento consentimientos autorizacion autorizado acepta aceptado suscrito
		consenso consensi autorizzazione iscritto iscrizione acconsente
		consentimento consentimentos autorizacao aceita aceite inscrito inscricao
		toestemming toestemmingen akkoord ingeschreven aangemeld nieuwsbrief
		zgoda zgody zgodamarketingowa zapisany
		onay onayi onaylandi izin izni riza rizasi acikriza acikrizasi abone
		doui doi kyoka kyodaku haishinkibou`,
	SaysOptOut: `
		lat islat lmt limitadtracking limitedadtracking adtrackinglimited limittracking limitedtracking trackinglimited dnt donottrack donotsell
		limitadtrackingenabled limitedadtrackingenabled latenabled dntenabled donottrackenabled attdenied notracking trackingdisabled adtrackingdisabled
		disabletracking disableadtracking marketingdisabled restricteddataprocessing npa nonpersonalizedads nonpersonalisedads gpc globalprivacycontrol
		donotshare dns donotcontact dnc donotemail donotbulkemail donotmail donotphone donotpostalmail donottarget donotcall donotsms donottext donotsend
		donotsendmm donotmarket donotsolicit donotprofile donotprocess donotpersonalize donotpersonalise donotallow shouldforget forgetme optout optedout optouts adsoptout marketingoptout emailoptout hasoptedoutofemail
		hasoptedout unsubscribed unsubscribe unsubscribes unsub unsubbed deleted delete deletion erased erasure removed blocked blacklisted blocklisted blacklist blocklist
		suppress suppressed suppression excluded exclude banned revoked withdrawn consentwithdrawn consentrevoked churned deceased bounced complained
		gdprdelete gdprdeleted gdprerasure righttobeforgotten forgotten optoutsale saleoptout fivetrandeleted abcdcdeleted sdcdeleted
		softdeleted tombstone archived spamcomplaint spamcomplaints noemail nosms nomail nocontact
		marketingsuspended stopmarketing stopemail stopemails marketingstopped
		legitimateinterestobjection marketingobjection profilingobjection directmarketingobjection objectiondirectmarketing objectiontodirectmarketing
		objectiontomarketing objectiontoprofiling objectiontoprocessing objectstoprofiling objectstomarketing objectstodirectmarketing objectstoprocessing
		coppa coppaflag isminor underage under13 under16 under18 childdirected tagforchilddirectedtreatment tagforunderageofconsent tfcd tfua minderjaehrig
		widerspruch werbewiderspruch widersprochen widerrufen widerruf abgemeldet abmeldung geloescht loeschung gesperrt sperre werbesperre gekuendigt kuendigung ausgetragen
		werbeverbot robinsonliste keinewerbung nichtkontaktieren kontaktsperre loeschkennzeichen loeschvormerkung loevm sperrkennzeichen
		verstorben abmeldedatum loeschdatum kuendigungsdatum sperrdatum widerrufsdatum austragungsdatum
		desinscrit desinscription desabonne desabonnement supprime suppressionle bloque opposition refus resilie nepascontacter
		baja bajas eliminado eliminada eliminacion borrado bloqueado bloqueada oposicion desuscrito cancelado revocacion nocontactar nomolestar listarobinson robinsonlist
		disiscritto disiscrizione cancellazione rimozione cancellato eliminato bloccato opposizione revocato revoca noncontattare
		descadastrado descadastro cancelamento excluido exclusao removido bloqueada oposicao desinscrito revogado revogacao naocontatar
		uitgeschreven afgemeld verwijderd geblokkeerd bezwaar opgezegd afmelddatum uitschrijfdatum verwijderdatum nietbenaderen nietcontacteren
		wypisany wypisano usuniety usunieto usuniecia wypisania zablokowany sprzeciw rezygnacja
		silindi silinmis silinme engelli engellendi iptal abonelikiptal abonelikiptali itiraz
		sakujo sakujobi taikai taikaibi kaijo kaiyaku kaiyakubi kyohi teishi`,
	SaysStatus: `
		status state accountstatus accountstate userstatus customerstatus contactstatus memberstatus
		membershipstatus profilestatus emailstatus recordstatus rowstatus lifecyclestatus crmstatus
		zustand kundenstatus statut etat estado stato situacao situacion toestand klantstatus stan durum durumu joutai jotai`,
	SaysOperation: `
		op operation operations metadataaction mutationtype eventtype lastevent lasteventtype lastaction cdcop cdcoperation changetype rowkind dml dmltype dmloperation opcode changeop recordop headerchangeoper
		changeoperation action rowaction metaoperation`,
	SaysUSPrivacy: `usprivacy usprivacystring ccpa ccpastring iabusprivacy iabusprivacystring`,
}

// purposes are what people agree to. Such a name is of a flag of consent only alone, with plain words around
// it, and does not change what a name beside it says.
var purposes = strings.Fields(`tracking marketing mktg ads advertising targeting profiling profilazione retargeting remarketing
	werbung publicite publicidad pubblicita publicidade reclame reklama reklam pazarlama koukoku`)

// plainWords are words around a saying name that do not change what it says: who agrees or leaves, in which
// way, to messages of which kind, by which law, and when.
var plainWords = strings.Fields(`
	is has have was ist hat wurde est a czy ok okay flag flags yn ind indicator bool boolean kz kennzeichen status state durumu
	given granted allowed accepts accepted accepte acepta accetta aceita akzeptiert edildi dado wyrazona udzielona
	user users customer client contact account member subscriber device kunde kunden utilisateur usuario utente gebruiker klant klient klienta
	cliente musteri muesteri kaiin
	email mail sms push newsletter ileti ticari haishin marketingowa marketingowe
	gdpr dsgvo rgpd lgpd kvkk rodo privacy
	at on date datum time ts timestamp am le fecha data tarihi tarih dt when since op dnia
	of for to de del di da do na para pour per voor fuer zu
`)

// sensesOfNames is sayingNames by name.
var sensesOfNames = sync.OnceValue(func() map[string]string {
	says := map[string]string{}
	for category, names := range sayingNames {
		for name := range strings.FieldsSeq(names) {
			says[name] = category
		}
	}
	return says
})

// Says returns the category that the name or the path of a column promises, "" for none.
func Says(name string) string {
	if len(name) > longestName {
		return ""
	}
	words := wordsOf(name)
	all, last := textsOf(words), beginOfLast(words)
	isChannel := len(all)-last == 1 && (all[last] == "text" || all[last] == "texts") // consents.text, beside consents.email
	if isAboutConsent(all) && !isChannel || isOfThing(all[last:]) {
		return ""
	}
	switch says, parents := saysOf(all[last:]), saysOf(all[:last]); {
	case says == "":
		return saysOf(all) // consents.marketing
	case isFlag(says) && parents == SaysUnclear:
		return SaysUnclear // not_given.consent
	case says == SaysConsent && parents == SaysOptOut: // opt_outs.marketing, opt_out.consented
		if saysWhole(all) == SaysOptOut {
			return SaysOptOut
		}
		return SaysUnclear
	case says == SaysOptOut && parents == SaysOptOut && slices.ContainsFunc(all[last:], isTurning):
		return SaysUnclear // opt_out.revoked
	case isStateOf(says, parents): // consent.status, opt_out.action
		return cmp.Or(saysOf(all), parents)
	default:
		return says
	}
}

// isStateOf reports whether a last segment says the state or a change of what the segments before it are of: a consent
// or an opt-out.
func isStateOf(says, parents string) bool {
	return (says == SaysStatus || says == SaysOperation) && (isFlag(parents) || parents == SaysUnclear)
}

// isAboutConsent reports whether the last word of a name says that its values are about a consent or an opt-out, and
// decide nothing: consent_channel, unsubscribe_url. do_not_text and OptInStatusID are names of flags.
func isAboutConsent(words []string) bool {
	last := len(words) - 1
	if last < 1 || !slices.Contains(aboutConsents, words[last]) || saysWhole(withDoNot(words)) != "" {
		return false
	}
	before := words[:last]
	switch words[last] {
	case "text", "texts": // opt_out_text is of messages
		return !slices.ContainsFunc(before, func(w string) bool { return !slices.Contains(withTexts, w) })
	case "id", "source", "sources", "channel", "channels": // of those who have left: deleted_by_id
		if hasOptOut(before) {
			return false
		}
	}
	return !slices.Contains(beforeFlags, before[0]) && !slices.Contains(beforeFlags, before[last-1])
}

// beforeFlags are words by which a name is of a flag all the same, as its first or its last word but one:
// unsubscribed_via_link, consent_status_id. withTexts are those of which there is a text.
var (
	beforeFlags = strings.Fields("of from via by to for all status flag has is are")
	withTexts   = strings.Fields("consent consents newsletter unsubscribe privacy marketing legal user einwilligung")
)

// aboutConsents are the last words of such names.
var aboutConsents = strings.Fields(`
	channel channels language languages lang locale source sources version versions url urls link links text texts
	click clicks open opens count counts id kanal sprache quelle zaehler langue canal idioma lingua fuente origine fonte
`)

// isOfThing reports whether a name says that something other than a person is deleted or blocked: card_blocked.
func isOfThing(words []string) bool {
	isOfPerson := func(w string) bool { return slices.Contains(ofPersons, w) }
	isBlocked := slices.ContainsFunc(words, func(w string) bool { return w == "blocked" || w == "gesperrt" })
	isOf := func(w string) bool { return isThing(w) || isBlocked && slices.Contains(units, w) }
	if !slices.ContainsFunc(words, isOf) || slices.ContainsFunc(words, isOfPerson) {
		return false
	}
	rest := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(ofAnything, w) })
	return len(rest) < len(words) && saysOf(rest) == ""
}

// ofPersons are words beside which a person is deleted or blocked: blocked_from_orders. units are what is counted of
// blocked things.
var (
	ofPersons = strings.Fields("from for gdpr account user customer contact profile email kunde konto")
	units     = strings.Fields("minutes hours seconds days")
)

// ofAnything are the words of opt-outs that are said of things as well.
var ofAnything = strings.Fields(`
	deleted delete erased removed blocked excluded exclude archived banned
	geloescht loeschung gesperrt sperre supprime bloque eliminado eliminada bloqueado bloqueada cancellato eliminato bloccato
	excluido removido verwijderd geblokkeerd usuniety zablokowany silindi
`)

// saysOf returns the category of a name's words: of as many of them as have one, if only plain words and
// purposes are around these, otherwise of one or two that stand for little else. It is SaysUnclear if
// another word may turn what these say.
func saysOf(words []string) string {
	words = withDoNot(words)
	if says := saysWhole(words); says != "" {
		return says
	}
	words = joinedApart(words)
	says := saysWithin(words)
	if turns(words, says) {
		return SaysUnclear
	}
	return says
}

// saysWhole returns the category of words around which are only plain words and purposes.
func saysWhole(words []string) string {
	for from := range words {
		for to := len(words); to > from; to-- {
			if says := saysExactly(words[from:to]); says != "" {
				return says
			}
			if !isAround(words[to-1]) {
				break
			}
		}
		if !isAround(words[from]) {
			break
		}
	}
	return ""
}

// onlyAlone are names that say something else among other words: no_email_sent.
var onlyAlone = strings.Fields("noemail nosms nomail nocontact")

// withDoNot returns the words with a name such as do not contact as one word, which no other word changes.
func withDoNot(words []string) []string {
	at := slices.Index(words, "do")
	if at < 0 || at+2 >= len(words) {
		return words
	}
	name := strings.Join(words[at:at+3], "")
	if !strings.HasPrefix(name, "donot") || sensesOfNames()[name] == "" {
		return words
	}
	return slices.Concat(words[:at], []string{name}, words[at+3:])
}

// saysWithin returns the category of consents or opt-outs of a few words among others.
func saysWithin(words []string) string {
	const (
		long = 6 // letters of a word that stands for little else
		most = 4 // words
	)
	for _, w := range words {
		if says := sensesOfNames()[w]; len(w) >= long && isFlag(says) {
			return says
		}
	}
	for n := 2; n <= most; n++ {
		for i := range len(words) - n + 1 {
			name := strings.Join(words[i:i+n], "")
			if says := sensesOfNames()[name]; isFlag(says) && !slices.Contains(onlyAlone, name) {
				return says
			}
		}
	}
	for _, w := range words {
		switch {
		case strings.Contains(w, "optout"), strings.Contains(w, "optedout"), strings.Contains(w, "unsubscribed"): // optedoutofadvertising
			return SaysOptOut
		case w == "optin", w == "optins": // shorter, but they stand for nothing else
			return SaysConsent
		}
	}
	return ""
}

// isFlag reports whether a category is of flags and dates: of consents or opt-outs.
func isFlag(category string) bool { return category == SaysConsent || category == SaysOptOut }

// saysExactly returns the category of words that are a name of the table, or a purpose.
func saysExactly(words []string) string {
	if len(words) == 1 && slices.Contains(purposes, words[0]) {
		return SaysConsent
	}
	return sensesOfNames()[strings.Join(words, "")]
}

func isAround(word string) bool {
	return slices.Contains(plainWords, word) || slices.Contains(purposes, word)
}

// Asks reports whether each row of a column of a category has to say yes or no: it is of consents or opt-outs,
// and its name says so. A name that has a purpose alone, such as tracking, may be of anything.
func Asks(category, name string) bool {
	switch category {
	case SaysConsent, SaysATT, SaysOptOut, SaysUnclear:
		words := textsOf(wordsOf(LastSegment(name)))
		return len(words) != 1 || !slices.Contains(purposes, words[0])
	}
	return false
}

// FileSaysNo reports whether the name of a file, or that of a folder in its path, says that its ids are those
// of people who said no, such as unsubscribed.csv, optouts-2026.txt and unsubscribed/part-1.csv.
func FileSaysNo(name string) bool { return PathSayingNo(name) != "" }

// PathSayingNo returns the beginning of a path up to the folder or the file whose name says no; "" if none does.
func PathSayingNo(name string) string {
	begin := 0
	for end, c := range name + "/" {
		if c != '/' {
			continue
		}
		if segmentSaysNo(name[begin:end]) {
			return name[:end]
		}
		begin = end + 1
	}
	return ""
}

// segmentSaysNo reports whether a name in the path of a file says no. In a folder such as deleted=false, the
// value decides.
func segmentSaysNo(name string) bool {
	if column, value, found := strings.Cut(name, "="); found {
		return AnswerOf(Says(column), []byte(value)).MayBeNo()
	}
	stem, _, _ := strings.Cut(name, ".")
	words := textsOf(wordsOf(stem))
	says := saysOf(words)
	return says == SaysOptOut || says == SaysUnclear || slices.ContainsFunc(words, func(w string) bool { return slices.Contains(fileWords, w) })
}

// fileWords are further words of such files.
var fileWords = strings.Fields("suppressions removals deletions erasures optouts blocklist blacklist donotcontact widersprueche loeschungen abmeldungen")

func textsOf(words []word) []string {
	var texts []string
	for _, w := range words {
		texts = append(texts, w.text)
	}
	return texts
}

// consentStrings are the names of columns of consent strings, which usher does not decode: of the IAB's
// TCF and GPP.
var consentStrings = strings.Fields(`tcf tcstring tcfstring iabtcftcstring iabtcf gdprconsentstring gdprconsentdata euconsent euconsentv2
	consentstring tcconsentstring gpp gppstring iabgppstring iabgpphdrgppstring gppheader`)

// IsConsentString reports whether a name is of a column of consent strings.
func IsConsentString(name string) bool {
	return slices.Contains(consentStrings, Canonical(LastSegment(name)))
}

// yesWords and noWords are the usual values of flags.
var (
	yesWords = strings.Fields(`1 true t yes y on x ja j wahr oui vrai si s sim verdadero verdadeiro vero waar tak prawda evet e dogru hai granted authorized authorised
		accepted allow allowed enabled optin optedin subscribed given erteilt zugestimmt accorde accordee accepte acceptee
		concedido concedida aceptado aceptada concesso concessa accettato accettata aceito gegeven akkoord udzielona wyrazona verildi doui kyoka permitted confirmed full`)
	noWords = strings.Fields(`0 false f no n off nein falsch non faux nao falso nee onwaar nie falsz hayir h yanlis iie denied refused rejected declined
		withdrawn revoked restricted notdetermined notgranted notauthorized notauthorised disallowed disabled optout optedout unsubscribed
		notallowed verweigert abgelehnt widerrufen refuse refusee retire retiree rechazado rechazada denegado denegada negato negata negado negada
		rifiutato rifiutata revocato revocata recusado recusada revogado revogada geweigerd ingetrokken odmowa brak wycofana cofnieta reddedildi verilmedi kyohi limited donotallow
		never niemals jamais nunca mai nooit nigdy asla notgiven notaccepted`)
	// optWords are states that mean the same in every column.
	optWords = strings.Fields("allow donotallow optin optedin subscribed optout optedout unsubscribed")
	// currentWords are the values of a status that say yes.
	currentWords = strings.Fields(`allow active activated enabled subscribed optin optedin confirmed verified live current open valid registered member customer
		aktiv angemeldet abonniert actif active abonne abonnee inscrit inscrite activo activa suscrito suscrita attivo attiva iscritto iscritta
		ativo ativa inscrito inscrita actief ingeschreven aangemeld aktywny aktywna zapisany zapisana aktif abone yuukou kaiin`)
	// goneWords are the values of a status that say no.
	goneWords = strings.Fields(`deleted removed erased unsubscribed optout optedout blocked banned closed terminated cancelled canceled inactive
		deactivated disabled expired withdrawn revoked suppressed bounced complained deceased churned denied refused rejected held
		forgotten anonymized anonymised archived blacklisted blocklisted cleaned purged dnc donotallow
		donotcontact donotemail donotmail donotcall donotphone donotsms donottext donotmarket donotsolicit donotsell donotshare donottrack donottarget
		geloescht entfernt abgemeldet gesperrt gekuendigt inaktiv deaktiviert widerrufen verstorben
		supprime supprimee desinscrit desinscrite desabonne desabonnee bloque bloquee inactif inactive resilie resiliee
		eliminado eliminada baja bloqueado bloqueada inactivo inactiva cancelado cancelada
		cancellato cancellata eliminato eliminata disiscritto disiscritta bloccato bloccata inattivo inattiva
		excluido excluida removido removida inativo inativa descadastrado descadastrada
		verwijderd uitgeschreven afgemeld geblokkeerd inactief opgezegd
		usuniety usunieta wypisany wypisana zablokowany zablokowana nieaktywny nieaktywna
		silindi silinmis engelli pasif iptal sakujo taikai kaiyaku teishi`)
	// deletions and otherChanges are the values of an operation.
	deletions    = strings.Fields("d delete deleted del remove removed r- -d -u")
	otherChanges = strings.Fields("i c u r s insert inserted create created update updated upsert upserted read snapshot +i +u u+ i+ add added modify modified")
	// leaving and joining are the events of opt-outs and opt-ins in a log.
	leaving = strings.Fields("optout optedout unsubscribe unsubscribed unsub donotcontact donotsell consentrevoked consentwithdrawn")
	joining = strings.Fields("optin optedin subscribe subscribed resubscribe resubscribed")
)

// marks are the characters that people tick boxes with, and the words for them. One may be followed by U+FE0F,
// which asks for its picture.
var marks = map[string]string{
	"✓": "yes", "✔": "yes", "✔\ufe0f": "yes", "☑": "yes", "☑\ufe0f": "yes", "✅": "yes", "👍": "yes",
	"✗": "no", "✘": "no", "✖": "no", "✖\ufe0f": "no", "❌": "no", "☐": "no", "⬜": "no", "👎": "no",
}

// Answer is what a cell says.
type Answer uint8

// The answers.
const (
	UnknownAnswer Answer = iota // none of the words that are known
	NoAnswer                    // blank
	Yes                         // the row may be uploaded
	No                          // it may not
	Either                      // yes or no: the name of the column does not show which
)

// AnswerOf returns what a cell of a column of a category says.
func AnswerOf(category string, cell []byte) Answer {
	const longest = 64
	cell = rows.TrimSpace(cell)
	switch {
	case len(cell) == 0:
		return NoAnswer
	case len(cell) > longest:
		return UnknownAnswer
	}
	found := answerOfWord(category, string(cell))
	if found == UnknownAnswer && (hashing.IsPlaceholder(cell) || string(cell) == `\n`) { // \N in lower case
		return NoAnswer
	}
	return found
}

// Answers returns AnswerOf for the cells of a column, by its category and name. In a column of the times of
// opt-outs, a text that usher does not know is such a time, however it is written. In one of what was done with a
// consent, such as consent.action, delete says no as well.
func Answers(category, name string) func(cell []byte) Answer {
	if category == SaysOperation && isOfEvents(name) {
		return answerOfEvent
	}
	if category != SaysOperation && Asks(category, name) && sensesOfNames()[Canonical(LastSegment(name))] == SaysOperation {
		return func(cell []byte) Answer {
			if found := AnswerOf(category, cell); found != UnknownAnswer || AnswerOf(SaysOperation, cell) != No {
				return found
			}
			return No
		}
	}
	if !IsOfTimes(category, name) {
		return func(cell []byte) Answer { return AnswerOf(category, cell) }
	}
	return func(cell []byte) Answer {
		if found := AnswerOf(category, cell); found != UnknownAnswer {
			return found
		}
		if category == SaysUnclear {
			return Either
		}
		return No
	}
}

// answerOfWord is AnswerOf for a cell that is not blank.
func answerOfWord(category, text string) Answer {
	if text == "-1" { // the usual code for what is not known
		return UnknownAnswer
	}
	if word := marks[text]; word != "" {
		text = word
	}
	text = WholeNumber(text)
	switch category {
	case SaysConsent:
		if found := answerOfFlag(Canonical(text)); found != UnknownAnswer {
			return found
		}
		return answerOfStateOf(text)
	case SaysATT:
		return answerOfATT(text)
	case SaysOptOut:
		return answerOfOptOut(text)
	case SaysUnclear:
		if answerOfOptOut(text) != UnknownAnswer || answerOfFlag(Canonical(text)) != UnknownAnswer || answerOfStateOf(text) != UnknownAnswer {
			return Either
		}
	case SaysStatus:
		return answerOfStateOf(text)
	case SaysOperation:
		switch word := strings.ToLower(strings.Trim(text, " '\"")); {
		case slices.Contains(deletions, word):
			return No
		case slices.Contains(otherChanges, word):
			return Yes
		}
		return answerOfEvent([]byte(text))
	case SaysUSPrivacy:
		return answerOfUSPrivacy(text)
	}
	return UnknownAnswer
}

// answerOfUSPrivacy returns what the third character of a US privacy string says.
func answerOfUSPrivacy(text string) Answer {
	switch {
	case len(text) != 4 || text[0] != '1' || strings.Trim(strings.ToUpper(text[1:]), "YN-") != "":
		return UnknownAnswer
	case text[2] == 'Y', text[2] == 'y':
		return No
	}
	return Yes
}

// WholeNumber returns 1 for 1.0, 1.00 and 1,0, as programs write whole numbers with decimals, and any other text
// as it is.
func WholeNumber(text string) string {
	at := strings.IndexAny(text, ".,")
	if at < 1 || at == len(text)-1 || strings.Trim(text[at+1:], "0") != "" || strings.Trim(text[:at], "0123456789") != "" {
		return text
	}
	return text[:at]
}

func answerOfFlag(word string) Answer {
	switch {
	case slices.Contains(yesWords, word):
		return Yes
	case slices.Contains(noWords, word):
		return No
	}
	return UnknownAnswer
}

// answerOfState returns what the state of a customer says.
func answerOfState(word string) Answer {
	switch {
	case slices.Contains(goneWords, word):
		return No
	case slices.Contains(currentWords, word):
		return Yes
	}
	return UnknownAnswer
}

// answerOfOptOut returns what a cell says in a column of opt-outs: a flag, a time, or the state itself. A
// word that takes something back, such as revoked, may mean the opt-out or the consent.
func answerOfOptOut(text string) Answer {
	word := Canonical(text)
	flag, state := answerOfFlag(word), answerOfStateOf(text)
	switch {
	case flag == UnknownAnswer && state == No && takesBack(text): // opt-out request denied
		return UnknownAnswer
	case slices.Contains(optWords, word), flag == UnknownAnswer && state != UnknownAnswer:
		return state
	case flag == No && state == No && word != "disabled":
		return UnknownAnswer
	case flag == Yes, flag == UnknownAnswer && IsTime(text):
		return No
	case flag == No:
		return Yes
	}
	return UnknownAnswer
}

// answerOfATT returns what a status says: not determined, restricted, denied, authorized as 0 to 3, or
// the word.
func answerOfATT(text string) Answer {
	switch text {
	case "3":
		return Yes
	case "0", "1", "2":
		return No
	}
	return answerOfFlag(Canonical(text))
}

// SaysNo returns a function that reports whether a cell of a column says no, or may say it, by the column's
// category and name.
func SaysNo(category, name string) func(cell []byte) bool {
	answer := Answers(category, name)
	return func(cell []byte) bool { return answer(cell).MayBeNo() }
}

// MayBeNo reports whether an answer is no, or yes or no.
func (a Answer) MayBeNo() bool { return a == No || a == Either }

// OtherTypeThan returns a function that reports whether a cell of a column of types, by its name, says another
// kind of id than the wanted one.
func OtherTypeThan(wanted usher.IDType, name string) func(cell []byte) bool {
	isOtherKind := otherKindsIn(name)
	return func(cell []byte) bool {
		if t := rows.ParseType(cell); t != usher.RowOther {
			return !wanted.Fits(t)
		}
		return rows.IsNamedSystem(cell) || isOtherKind(cell)
	}
}

// otherKindsIn returns IsOtherKindOfID for the cells of a column, by its name. In a column of types of devices, a
// phone is a device and no telephone number.
func otherKindsIn(name string) func(cell []byte) bool {
	if last := Canonical(LastSegment(name)); !strings.HasSuffix(last, "devicetype") && !strings.HasSuffix(last, "geraetetyp") {
		return IsOtherKindOfID
	}
	return func(cell []byte) bool { return Canonical(string(cell)) != "phone" && IsOtherKindOfID(cell) }
}

// IsOtherKindOfID reports whether a cell names ids of something other than a device, or no
// advertising ids: idfv, cookie_id, email.
func IsOtherKindOfID(cell []byte) bool {
	const longest = 40
	if cell = rows.TrimSpace(cell); len(cell) == 0 || len(cell) > longest || !slices.ContainsFunc(cell, isLetter) {
		return false // most cells are dates and numbers
	}
	m := MeaningOf(string(cell))
	return m.Known && (m.Sense >= SenseVendor || m.Digest != DigestNone && m.Sense <= SenseHeader)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c >= utf8.RuneSelf }

// IsAuthorization reports whether a name is of a column of Apple's authorization status.
func IsAuthorization(name string) bool {
	return slices.ContainsFunc(wordsOf(name), func(w word) bool {
		return w.text == "att" || w.text == "atts" || strings.Contains(w.text, "authorization") || strings.Contains(w.text, "transparency")
	})
}
